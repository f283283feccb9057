"""Serves Needle until the process is told to stop."""

import signal
import socket
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.local.listening import HOST, listening
from plugineval.clients.local.needle import MODEL, NeedleEngine
from plugineval.clients.local.served import Ready, Served

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from uvicorn import Server

_GRACE_S = 5
_TABLE = ("temperature = 0.0  # it is greedy: temperature and seed change nothing", "concurrency = 1")


def serve_needle(port: int, ready: Ready) -> None:
    """Needle on loopback until SIGINT or SIGTERM; port 0 takes a free one."""
    from plugineval.clients.local.needle_app import needle_app

    app = needle_app(NeedleEngine())
    with listening(port) as place:
        bound = int(place.getsockname()[1])
        ready(Served("needle", MODEL, f"http://{HOST}:{bound}/v1", _TABLE))
        anyio.run(_serve, app, place)


async def _serve(app: "Starlette", place: socket.socket) -> None:
    import uvicorn

    class Quiet(uvicorn.Server):
        """Without handlers of its own, which hand a signal on when all has ended in order."""

        @contextmanager
        def capture_signals(self) -> Generator[None]:
            """Those of `_until_told` count."""
            yield

    server = Quiet(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_GRACE_S))
    async with anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            tasks.start_soon(_until_told, server)
        await server.serve(sockets=[place])
        tasks.cancel_scope.cancel()


async def _until_told(server: "Server") -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        async for _ in received:
            # A second signal does not wait for open requests.
            server.force_exit = server.should_exit
            server.should_exit = True
