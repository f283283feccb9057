"""The doctor says what is left alone, what waits for a person, what was given away, and who else could decide here."""

import os
from pathlib import Path

import anyio
import pytest

from doubles.shifting import Shifty, tool
from plugineval.clients.plugins.approvals import ToolsChangedError
from plugineval.pccf.tools import ToolSpec
from plugineval.server.cli.doctor import Examination, diagnose
from plugineval.server.cli.findings import Finding, Status
from plugineval.server.trust.requests import Requests
from plugineval.server.wiring import plugin_pool

pytestmark = pytest.mark.anyio


async def found(home: Path, name: str, cwd: Path | None = None) -> list[Finding]:
    diagnosis = await diagnose(Examination(home=home, environ={"PATH": os.environ["PATH"]}, cwd=cwd or home))
    return [finding for finding in diagnosis.findings if finding.name == name]


async def test_a_file_that_is_left_alone_is_named_with_the_command_that_trusts_it(tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "plugineval.toml").write_text("[plugins.a]\ncommand = 'a'\n")
    (trust,) = await found(tmp_path / "home", "trust", tmp_path / "repo")
    assert trust.status is Status.WARN
    assert "plugineval trust" in str(trust.fix)
    (settings,) = await found(tmp_path / "home", "settings", tmp_path / "repo")
    assert settings.fix == trust.fix


async def test_tools_that_changed_and_questions_of_jobs_are_named_with_what_answers_them(tmp_path: Path) -> None:
    shifty = Shifty(tmp_path)
    async with plugin_pool(shifty.settings, ["shifty"]) as pool:
        await pool.snapshot("shifty")
        shifty.offer(tool("get_shade"))
        with pytest.raises(ToolsChangedError):
            await pool.snapshot("shifty")
    asked = Requests(tmp_path).open("job-1", ToolSpec(plugin="shifty", name="paint", input_schema={}), {})
    (approvals,) = await found(tmp_path, "approvals of shifty")
    assert approvals.status is Status.FAIL
    assert "approve shifty" in str(approvals.fix)
    (request,) = await found(tmp_path, "requests")
    assert request.status is Status.WARN
    assert f"approve --request {asked.id}" in str(request.fix)


@pytest.mark.parametrize(
    ("settings", "name", "says"),
    [
        ({"policy": "sandboxed"}, "policy of shifty", "every tool is executed as the process stands"),
        ({"tools": {"drop": "sandboxed"}}, "policy of shifty", "drop is executed as the process stands"),
        ({"approve": "always"}, "approvals of shifty", "whatever tools it lists count as approved"),
    ],
)
async def test_a_protection_that_was_given_away_is_a_warning(
    tmp_path: Path, settings: dict[str, str], name: str, says: str
) -> None:
    Shifty(tmp_path, **settings)
    (warning,) = await found(tmp_path, name)
    assert warning.status is Status.WARN
    assert says in warning.detail
    assert warning.fix


async def test_a_sandbox_with_a_fixture_is_no_warning(tmp_path: Path) -> None:
    Shifty(tmp_path, policy="sandboxed", sandbox={"copy": str(tmp_path / "tools.json")})
    assert await found(tmp_path, "policy of shifty") == []


@pytest.mark.skipif(os.name == "nt", reason="there are no such modes")
@pytest.mark.parametrize(
    ("place", "mode", "status", "fix"),
    [
        (".", 0o755, Status.WARN, "chmod 700"),
        ("trust", 0o777, Status.FAIL, "chmod 700"),
        ("approvals", 0o770, Status.FAIL, "chmod 700"),
        ("http-token", 0o644, Status.FAIL, "chmod 600"),
        ("plugineval.toml", 0o666, Status.FAIL, "chmod 600"),
    ],
)
async def test_who_else_could_decide_or_read_here_is_told(
    tmp_path: Path, place: str, mode: int, status: Status, fix: str
) -> None:
    home = tmp_path / "home"
    Shifty(home)
    for folder in ("trust", "approvals"):
        (home / folder).mkdir()
    (home / "http-token").write_text("t")
    for path in (home, *home.iterdir()):
        path.chmod(0o700 if path.is_dir() else 0o600)
    assert await found(home, "privacy") == []
    (home / place).chmod(mode)
    (finding,) = await found(home, "privacy")
    assert finding.status is status
    assert f"{fix} {home / place}" in str(finding.fix).replace("/.`", "`")


async def test_a_damaged_approval_is_a_finding_and_no_crash(tmp_path: Path) -> None:
    shifty = Shifty(tmp_path)
    async with plugin_pool(shifty.settings, ["shifty"]) as pool:
        await pool.snapshot("shifty")
    for file in await anyio.to_thread.run_sync(lambda: list((tmp_path / "approvals" / "tools").iterdir())):
        file.write_text("{")
    (finding,) = await found(tmp_path, "approvals")
    assert finding.status is Status.FAIL


async def test_the_versions_that_work_together_are_shown(tmp_path: Path) -> None:
    (finding,) = await found(tmp_path, "versions")
    assert finding.status is Status.OK
    assert "mcp 2." in finding.detail
