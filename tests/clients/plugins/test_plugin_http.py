"""The same port over streamable HTTP, against a real server on the loopback interface."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from doubles.plugins.registering import HERE, bench, tidy
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.observations import ObservationKind

pytestmark = pytest.mark.anyio


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(port: int, *flags: str) -> subprocess.Popen[bytes]:
    """A server that accepts connections."""
    server = subprocess.Popen(
        [sys.executable, str(HERE / "tidy.py"), str(port), *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with closing(socket.socket()) as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.05)
    server.kill()
    raise AssertionError("the server did not start")


@pytest.fixture(scope="module", params=["event stream", "plain JSON"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    port = free_port()
    server = start(port, *(["--json"] if request.param == "plain JSON" else []))
    yield f"http://127.0.0.1:{port}/mcp"
    server.kill()
    server.wait()


async def test_a_server_is_described_and_called(url: str, tmp_path: Path) -> None:
    async with bench(tidy(url=url), tmp_path) as plugin:
        snapshot = await plugin.pool.snapshot("tidy")
        seen = await plugin.pool.call(snapshot.tool("get_sum"), {"a": 2, "b": 3})
    assert snapshot.protocol_version == "2026-07-28"
    assert (seen.kind, seen.structured) == (ObservationKind.RETURNED, {"total": 5})
    assert not (tmp_path / "plugins").exists()


async def test_errors_and_timeouts_are_told_apart(url: str, tmp_path: Path) -> None:
    async with bench(tidy(url=url, call_timeout_s=0.4), tmp_path) as plugin:
        refused = await plugin.call("get_refusal")
        late = await plugin.call("get_late_echo", {"word": "late", "seconds": 30})
        soon = await plugin.call("get_late_echo", {"word": "soon", "seconds": 0})
    assert (refused.kind, late.kind, soon.text) == (ObservationKind.TOOL_ERROR, ObservationKind.TIMEOUT, "soon")
    assert "not today" in refused.text


async def test_an_answer_beyond_all_bounds_is_not_read(url: str, tmp_path: Path) -> None:
    async with bench(tidy(url=url), tmp_path) as plugin:
        seen = await plugin.call("get_large", {"characters": 9_000_000})
        after = await plugin.call("get_late_echo", {"word": "here", "seconds": 0})
    assert seen.kind is ObservationKind.TOO_LARGE
    assert after.text == "here"


async def test_a_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}/mcp"
    async with bench(tidy(url=url), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError, match="cannot be reached") as refusal:
            await plugin.pool.snapshot("tidy")
    assert url in str(refusal.value)


async def test_a_server_that_goes_away_and_comes_back_is_used_again(tmp_path: Path) -> None:
    port = free_port()
    server = start(port)
    try:
        async with bench(tidy(url=f"http://127.0.0.1:{port}/mcp"), tmp_path) as plugin:
            before = await plugin.call("get_late_echo", {"word": "here", "seconds": 0})
            server.kill()
            server.wait()
            gone = await plugin.call("get_late_echo", {"word": "gone", "seconds": 0})
            server = start(port)
            back = await plugin.call("get_late_echo", {"word": "back", "seconds": 0})
    finally:
        server.kill()
        server.wait()
    assert (before.text, gone.kind, back.text) == ("here", ObservationKind.DIED, "back")
