"""An agent at a server whose home is full of secrets: no answer, resource, notification or log line holds one."""

import json
import os
from pathlib import Path

import httpx2
import pytest
from mcp.types import ServerNotification

from doubles.canaries import ENVIRONMENT, SERVER_TOKEN, leaks_below, leaks_in
from doubles.mcp_client import Home, Mode, in_memory, over_http, over_stdio, served, text_of
from secrecy.conftest import Planted

pytestmark = pytest.mark.anyio
CALLS: tuple[tuple[str, dict[str, object]], ...] = (
    ("plugin_list", {}),
    ("plugin_inspect", {"plugin": "leaky", "detail": "detailed"}),
    ("plugin_inspect", {"plugin": "leaky"}),
    ("plugin_inspect", {"plugin": "gone"}),
    ("plugin_inspect", {"plugin": "far"}),
    ("benchmark_build", {"plugins": ["gone"], "name": "none", "size": 1, "wait_s": 20}),
    ("benchmark_build", {"plugins": ["leaky"], "name": "mine", "size": 2, "wait_s": 30}),
    ("benchmark_get", {}),
    ("evaluation_run", {"benchmark_id": "mine", "models": ["fast", "baseline:lexical"], "repeats": 3, "wait_s": 20}),
    ("evaluation_run", {"benchmark_id": "mine", "models": ["unset"], "wait_s": 20}),
    ("report_get", {}),
    ("job_get", {}),
    ("work_next", {}),
)


class Overheard:
    """A client that keeps whatever it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.links: list[str] = []

    async def listen(self, message: object) -> None:
        """Keep a notification."""
        self.said.append(repr(message))
        if isinstance(message, ServerNotification):
            self.said.append(message.model_dump_json())

    @property
    def leaks(self) -> list[str]:
        return leaks_in("\n".join(self.said).encode())


async def _use(home: Home, mode: Mode, heard: Overheard, *, stdio: bool) -> None:
    """Every tool that reads or works, every resource there is."""
    opened = over_stdio if stdio else in_memory
    async with opened(home, mode, heard.listen) as client:
        heard.said.append(client.server_info.model_dump_json() if client.server_info else "")
        heard.said.append((await client.list_tools()).model_dump_json())

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            heard.said.append(f"{progress} {total} {message}")

        for tool, arguments in CALLS:
            result = await client.call_tool(tool, arguments, progress_callback=on_progress)
            heard.said += [result.model_dump_json(), text_of(result)]
        listed = (await client.list_resources()).resources
        heard.said.append(json.dumps([resource.model_dump(mode="json") for resource in listed]))
        for resource in listed:
            heard.said.append((await client.read_resource(resource.uri)).model_dump_json())
            heard.links.append(str(resource.uri))


@pytest.mark.parametrize(("mode", "stdio"), [("auto", True), ("legacy", False)])
async def test_an_agent_is_told_no_secret(planted: Planted, tmp_path: Path, mode: Mode, stdio: bool) -> None:
    home = _home(planted, tmp_path)
    heard = Overheard()
    await _use(home, mode, heard, stdio=stdio)
    whole = "\n".join(heard.said)
    assert whole.count("[secret]") > 20
    assert whole.count("[redacted]") > 2
    assert any("reports/" in uri for uri in heard.links)
    assert heard.leaks == []
    # The database, the log of the plugin and what the server said on stderr lie in the home.
    assert leaks_below(home.path) == []


@pytest.mark.skipif(os.name != "posix", reason="modes as they are on POSIX")
async def test_over_http_the_token_is_told_to_nobody(planted: Planted, tmp_path: Path) -> None:
    home = _home(planted, tmp_path)
    said: list[str] = []
    with served(home, token=SERVER_TOKEN) as server:
        async with httpx2.AsyncClient() as http:
            for sent in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {SERVER_TOKEN}"}):
                answer = await http.post(server.url, json={}, headers=sent)
                assert answer.status_code == 401
                said.append(f"{answer.headers} {answer.text}")
            said.append((await http.get(server.url.replace("/mcp", "/health"))).text)
        async with over_http(server.url, "auto", token=SERVER_TOKEN) as client:
            said.append((await client.call_tool("plugin_inspect", {"plugin": "leaky"})).model_dump_json())
        said += server.said
    assert leaks_in("\n".join(said).encode()) == []
    assert leaks_below(home.path) == []


@pytest.mark.skipif(os.name != "posix", reason="modes as they are on POSIX")
async def test_a_token_that_was_made_is_its_owners_alone_and_not_said(planted: Planted, tmp_path: Path) -> None:
    home = _home(planted, tmp_path)
    home.environ.pop("PLUGINEVAL_TOKEN")
    with served(home, token=None) as server:
        kept = home.path / "http-token"
        token = kept.read_text()
        async with over_http(server.url, "auto", token=token) as client:
            await client.call_tool("plugin_list", {})
        said = "".join(server.said)
    assert kept.stat().st_mode & 0o077 == 0
    assert token not in said
    others = [path for path in home.path.rglob("*") if path.is_file() and path != kept]
    assert not [path for path in others if token.encode() in path.read_bytes()]


def _home(planted: Planted, folder: Path) -> Home:
    text = (planted.home / "plugineval.toml").read_text()
    home = Home.at(folder / "home", text.partition("[roles]")[0] + '[roles]\njudge = "judging"\n', **ENVIRONMENT)
    (home.path / "fixture").mkdir()
    return home
