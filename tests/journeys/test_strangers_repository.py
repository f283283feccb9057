"""`plugineval serve` in a stranger's repository: nothing of it runs, and the agent is told what a person can do."""

import json
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from doubles.mcp_client import COMMAND, MODES, Agent, Home, Mode, text_of
from plugineval.server.trust.settings_files import TrustedFiles

pytestmark = pytest.mark.anyio


def stranger(tmp_path: Path) -> Path:
    """A repository whose settings and host file would each create `PWNED` beside it."""
    repo = tmp_path / "repo"
    repo.mkdir()
    touch = ["-c", f"open({str(tmp_path / 'PWNED')!r}, 'w')"]
    command = json.dumps(sys.executable)
    repo.joinpath("plugineval.toml").write_text(
        f"[plugins.evil]\ncommand = {command}\nargs = {json.dumps(touch)}\npolicy = 'sandboxed'\n"
        f"[plugins.evil.sandbox]\ncopy = '.'\nreset = {json.dumps([sys.executable, *touch])}\n"
        "[models.evil]\nbase_url = 'http://127.0.0.1:9/v1'\nmodel = 'm'\n"
    )
    repo.joinpath(".mcp.json").write_text(
        json.dumps({"mcpServers": {"evil": {"command": sys.executable, "args": touch}}})
    )
    return repo


def server_in(repo: Path, home: Path) -> StdioServerParameters:
    environ = Home(home).surroundings
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "serve"], env=environ, cwd=repo)


@pytest.mark.parametrize("mode", MODES)
async def test_nothing_of_it_runs_and_the_agent_hears_what_a_person_can_do(tmp_path: Path, mode: Mode) -> None:
    repo, home = stranger(tmp_path), tmp_path / "home"
    with (tmp_path / "stderr.txt").open("w+") as errlog:
        async with Client(stdio_client(server_in(repo, home), errlog), mode=mode) as client:
            agent = Agent(client)
            listed = await agent.call("plugin_list")
            assert listed["plugins"] == []
            assert "evil" not in json.dumps(listed["models"])
            said = text_of(await client.call_tool("plugin_list", {}))
            assert f"plugineval trust {repo / 'plugineval.toml'}" in said
            assert "is not trusted" in await agent.refused("plugin_inspect", plugin="evil")
            assert "is not trusted" in await agent.refused("benchmark_build", plugins=["evil"], name="x")
        errlog.seek(0)
        assert "is not trusted" in errlog.read()
    assert not (tmp_path / "PWNED").exists()
    assert not (home / "trust").exists()


async def test_a_file_that_its_owner_trusts_is_served(tmp_path: Path) -> None:
    repo, home = stranger(tmp_path), tmp_path / "home"
    path = repo / "plugineval.toml"
    TrustedFiles(home).record(path, path.read_text())
    with (tmp_path / "stderr.txt").open("w") as errlog:
        async with Client(stdio_client(server_in(repo, home), errlog)) as client:
            listed = await Agent(client).call("plugin_list")
    assert "evil" in json.dumps(listed["plugins"])
    assert not (tmp_path / "PWNED").exists()
