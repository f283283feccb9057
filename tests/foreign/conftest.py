"""Homes and servers for clients that nobody here wrote, and the Node that most of them need."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

import anyio
import pytest

from doubles.mcp_client import COMMAND, TOKEN, Agent, Home, over_http, served
from foreign.nodejs import Node
from journeys.conftest import counting_home
from plugineval.pccf.values import Json

Transport: TypeAlias = Literal["stdio", "http"]
TESTS = Path(__file__).resolve().parents[1]
SLOW = "0.2"
"""Seconds that each call of the plugin takes, so that a build lasts long enough to be watched."""


@pytest.fixture(scope="session")
def node() -> Node:
    """What `.ci/foreign` installed."""
    return Node.installed()


@pytest.fixture
def slow(tmp_path: Path) -> Home:
    """A home with the counting plugin."""
    return counting_home(tmp_path / "home", DELAY=SLOW)


@pytest.fixture
def reach(slow: Home, request: pytest.FixtureRequest) -> Callable[[Transport], dict[str, Json]]:
    """How a client gets to a server of the home: what to start, or where it is."""

    def way(transport: Transport) -> dict[str, Json]:
        if transport == "http":
            url: str = request.getfixturevalue("url")
            return {"url": url, "headers": {"Authorization": f"Bearer {TOKEN}"}}
        command, *arguments = (*COMMAND, "serve")
        stdio: Json = {
            "command": command,
            "args": list[Json](arguments),
            "env": dict[str, Json](slow.surroundings),
            "cwd": str(slow.path),
        }
        return {"stdio": stdio}

    return way


@pytest.fixture
def url(slow: Home) -> Iterator[str]:
    """Where `plugineval serve --http` serves the home."""
    with served(slow) as running:
        yield running.url


@pytest.fixture(scope="module")
def suite_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the shipped HTTP app serves with the fixtures of the conformance suite."""
    home = counting_home(tmp_path_factory.mktemp("suite"))
    command = [sys.executable, "-m", "foreign.suite.server", str(home.path)]
    with (home.path / "stderr.txt").open("w", encoding="utf-8") as errors:
        server = subprocess.Popen(
            command, cwd=TESTS, env=home.surroundings, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            anyio.run(_look_at_the_plugin, url)
            yield url
        finally:
            server.kill()
            server.communicate()


async def _look_at_the_plugin(url: str) -> None:
    """So that there is a resource to list."""
    async with over_http(url, "auto") as client:
        await Agent(client).call("plugin_inspect", plugin="counting")
