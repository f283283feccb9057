import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from doubles.trusted import trusted_settings
from plugineval.server.cli.doctor import Diagnosis, Examination, diagnose, doctor_command
from plugineval.server.cli.doctor_checks import disk_finding, home_finding, python_finding
from plugineval.server.cli.findings import Finding, Status

pytestmark = pytest.mark.anyio

SECRET = "s3cret-value-0123456789"
PYTHON = json.dumps(sys.executable)


async def examined(folder: Path, text: str | None, environ: Mapping[str, str] | None = None) -> Diagnosis:
    if text is not None:
        trusted_settings(folder, text, home=folder / "home")
    return await diagnose(Examination(home=folder / "home", environ=dict(environ or {}), cwd=folder))


def named(diagnosis: Diagnosis, name: str) -> Finding:
    return next(finding for finding in diagnosis.findings if finding.name == name)


async def test_a_sound_installation_passes(tmp_path: Path) -> None:
    diagnosis = await examined(tmp_path, f"[plugins.me]\ncommand = {PYTHON}")
    assert diagnosis.exit_code == 0
    assert {finding.status for finding in diagnosis.findings if finding.name not in {"bias", "disk"}} == {Status.OK}
    assert "plugineval.db" in named(diagnosis, "database").detail


async def test_without_settings_the_next_step_is_init_and_nothing_fails(tmp_path: Path) -> None:
    diagnosis = await examined(tmp_path, None)
    assert diagnosis.exit_code == 0
    assert named(diagnosis, "settings").fix == "run `plugineval init`"


async def test_settings_that_cannot_be_read_exit_with_2_and_leave_the_other_checks(tmp_path: Path) -> None:
    diagnosis = await examined(tmp_path, "[plugins.math]\ncommand = x")
    assert diagnosis.exit_code == 2
    assert "line 2" in named(diagnosis, "settings").detail
    assert named(diagnosis, "home").status is Status.OK


@pytest.mark.parametrize(
    ("text", "name", "detail", "fix"),
    [
        ("[plugins.a]\ncommand = 'no-such-command'", "plugin a", "no-such-command", "install"),
        ("[plugins.a]\ncommand = './gone.sh'", "plugin a", "gone.sh", "path"),
        (f"[plugins.a]\ncommand = {PYTHON}\ncwd = 'gone'", "plugin a", "does not exist", "create it"),
        ("[plugins.a]\ncommand = 'c'\nenv = { T = '${A_T}' }", "plugin a", "A_T is not set", "export A_T=..."),
        ("[models.m]\nmodel = 'x'\napi_key_env = 'M_KEY'", "model m", "M_KEY is not set", "export M_KEY"),
        ("[models.m]\nmodel = 'x'\nheaders = { A = '${M_A}' }", "model m", "M_A is not set", "export M_A=..."),
        ("[roles]\nwriter = 'openai:gpt'", "role writer", "OPENAI_API_KEY is not set", "export OPENAI_API_KEY"),
        (
            "[models.m]\nmodel = 'x'\nheaders = { A = '${M_A}' }\n[roles]\njudge = 'm'",
            "role judge",
            "M_A is not set",
            "export M_A=...",
        ),
        ("[build.verification]\nallow_self_judged = false", "bias", "refuses this", "different models"),
        ("[store]\nurl = 'sqlite:///plugineval.toml'", "database", "not a database", "choose another place"),
    ],
)
async def test_what_would_not_work_fails_and_says_how_to_mend_it(
    tmp_path: Path, text: str, name: str, detail: str, fix: str
) -> None:
    diagnosis = await examined(tmp_path, text)
    finding = named(diagnosis, name)
    assert diagnosis.exit_code == 1
    assert finding.status is Status.FAIL
    assert detail in finding.detail
    assert fix in (finding.fix or "")


@pytest.mark.requirement("P17")
async def test_a_model_that_judges_its_own_proposals_is_named(tmp_path: Path) -> None:
    model = "[models.fast]\nmodel = 'x'\nbase_url = 'http://127.0.0.1:1/v1'\n"
    both = await examined(tmp_path, model + "[roles]\ngenerators = ['fast']\nresult_evaluator = 'fast'")
    assert "fast generates and evaluates" in named(both, "bias").detail
    assert named(both, "bias").status is Status.WARN
    apart = await examined(tmp_path, model + "[roles]\ngenerators = 'fast'")
    assert "bias" not in {finding.name for finding in apart.findings}


async def test_who_matches_words_is_not_left_to_judge_what_a_model_writes_unsaid(tmp_path: Path) -> None:
    written = "[roles]\nwriter = 'agent'\n"
    warned = named(await examined(tmp_path, written + "argument_evaluator = 'agent'"), "judging")
    assert warned.status is Status.WARN
    assert "plays annotators, result_evaluator, and agent writes" in warned.detail
    models = "argument_evaluator = 'agent'\nresult_evaluator = 'agent'\nannotators = 'agent'"
    for sound in (written + models, "[roles]\ngenerators = 'agent'"):
        assert "judging" not in {finding.name for finding in (await examined(tmp_path, sound)).findings}


async def test_no_finding_shows_a_secret(tmp_path: Path) -> None:
    text = """
    [plugins.a]
    url = "https://user:${S}@h.example/${S}/mcp?key=${S}"
    headers = { Authorization = "Bearer ${S}" }
    [models.m]
    model = "x"
    base_url = "https://me:${S}@m.example:8443/v1"
    api_key_env = "S"
    """
    diagnosis = await examined(tmp_path, text, {"S": SECRET})
    assert SECRET not in diagnosis.model_dump_json()
    assert "https://h.example" in named(diagnosis, "plugin a").detail
    assert "https://m.example:8443" in named(diagnosis, "model m").detail


def test_an_old_interpreter_fails() -> None:
    assert python_finding((3, 10, 2)).status is Status.FAIL
    assert python_finding((3, 11, 0)).status is Status.OK


def test_a_home_that_cannot_be_written_fails(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    finding = home_finding(tmp_path / "file" / "home")
    assert finding.status is Status.FAIL
    assert "PLUGINEVAL_HOME" in (finding.fix or "")
    assert home_finding(tmp_path / "new" / "home").status is Status.OK
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("free", "status"), [(10**9, "ok"), (10**8, "warn"), (10**6, "fail")])
def test_a_full_disk_is_said_before_it_hurts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, status: str
) -> None:
    total = 2 * 10**9
    usage = type(shutil.disk_usage(tmp_path))(total, total - free, free)

    def disk_usage(path: Path) -> object:
        return usage

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    assert disk_finding(tmp_path / "not" / "yet").status == status


async def test_starting_the_plugins_lists_their_tools_and_names_the_one_that_does_not_start(tmp_path: Path) -> None:
    server = tmp_path / "little.py"
    server.write_text(
        "from mcp.server import MCPServer\n"
        "mcp = MCPServer('little', version='1.2')\n"
        "@mcp.tool()\ndef list_things() -> str:\n    '''List things.'''\n    return 'x'\n"
        "@mcp.tool()\ndef delete_things() -> str:\n    '''Delete things.'''\n    return 'x'\n"
        "mcp.run('stdio')\n"
    )
    text = (
        f"[plugins.little]\ncommand = {PYTHON}\nargs = [{json.dumps(str(server))}]\n"
        f"[plugins.dead]\ncommand = {PYTHON}\nargs = ['-c', 'raise SystemExit(3)']\n"
    )
    trusted_settings(tmp_path, text, home=tmp_path / "home")
    examination = Examination(
        home=tmp_path / "home", environ={"PATH": os.environ["PATH"]}, cwd=tmp_path, start_plugins=True
    )
    diagnosis = await diagnose(examination)
    assert named(diagnosis, "tools of little").detail == "little 1.2: 2 tools, 1 may be executed"
    assert named(diagnosis, "tools of dead").status is Status.FAIL
    assert diagnosis.exit_code == 1


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PLUGINEVAL_CONFIG", raising=False)
    app = typer.Typer()
    app.command()(doctor_command)
    result = CliRunner().invoke(app, ["--home", str(folder / "home"), *arguments])
    return result.exit_code, result.stdout


def test_the_command_prints_each_finding_with_its_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted_settings(tmp_path, "[plugins.a]\ncommand = 'no-such-command'", home=tmp_path / "home")
    code, stdout = run(tmp_path, monkeypatch)
    assert code == 1
    assert "fail  plugin a" in stdout
    assert "fix: install" in stdout


def test_the_command_prints_one_object_for_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted_settings(tmp_path, "[plugin.a]", home=tmp_path / "home")
    code, stdout = run(tmp_path, monkeypatch, "--json")
    printed = json.loads(stdout)
    assert code == printed["exit_code"] == 2
    assert printed["ok"] is False
    assert {"name", "status", "detail", "fix"} == set(printed["findings"][0])
