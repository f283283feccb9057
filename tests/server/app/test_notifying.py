"""Telling clients about a job never harms the job."""

from pathlib import Path
from typing import cast

import anyio
import pytest
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.shared.dispatcher import DispatchContext
from mcp.shared.transport_context import TransportContext
from mcp.types import SubscribeRequestParams

from doubles.mcp_client import Home
from plugineval.server.app import notifying
from plugineval.server.app.factory import create_app
from plugineval.server.app.notifying import CountingBus, Notifier
from plugineval.server.jobs.engine import JobEngine

pytestmark = pytest.mark.anyio

URI = "plugineval://jobs/j"


class Outbox:
    """The outgoing side of a connection that takes nothing until it is let."""

    def __init__(self) -> None:
        self.reading = anyio.Event()
        self.sent: list[str] = []

    async def notify(self, method: str, params: object, opts: object = None) -> None:
        """Wait for the client to read."""
        await self.reading.wait()
        self.sent.append(method)

    async def send_raw_request(self, method: str, params: object, opts: object = None) -> dict[str, object]:
        """Never asked for."""
        raise AssertionError(method)


async def _subscribed(home: Path, outbox: Outbox) -> tuple[Notifier, Connection]:
    app = create_app(Home.at(home).workspace())
    notifier = Notifier(app, CountingBus())
    connection = Connection.for_loop(outbox)
    context = ServerRequestContext(
        session=ServerSession(cast("DispatchContext[TransportContext]", None), connection),
        lifespan_context=cast("JobEngine", None),
        protocol_version="2025-11-25",
        method="resources/subscribe",
    )
    handler = app._lowlevel_server.get_request_handler("resources/subscribe")  # pyright: ignore[reportPrivateUsage]
    assert handler is not None
    await handler.handler(context, SubscribeRequestParams(uri=URI))
    return notifier, connection


async def test_a_client_that_does_not_read_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifying, "PATIENCE_S", 0.01)
    outbox = Outbox()
    notifier, connection = await _subscribed(tmp_path, outbox)
    with anyio.fail_after(5):
        await notifier.announce(URI)
    assert outbox.sent == []
    outbox.reading.set()
    await notifier.announce(URI)
    assert outbox.sent == ["notifications/resources/updated"]
    assert connection.protocol_version


async def test_a_connection_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    outbox = Outbox()
    outbox.reading.set()
    notifier, connection = await _subscribed(tmp_path, outbox)
    assert notifier.subscriptions == 1
    del connection
    assert notifier.subscriptions == 0, "clients choose the URIs: what is kept of them would grow without end"
    await notifier.announce(URI)
    assert outbox.sent == []
