"""What is left of a process that was killed, of an error that nobody expected, and of values that are printed."""

import logging
import os
import sys
import threading
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr, ValidationError

from doubles.canaries import (
    BODY_TOKEN,
    DEFAULT_KEY,
    ENVIRONMENT,
    MODEL_KEY,
    MODEL_PASSWORD,
    ODD_VARIABLE,
    PLUGIN_PASSWORD,
    PLUGIN_VARIABLE,
    cells_of,
    leaks_below,
    leaks_in,
)
from doubles.cli import addition, cases_file, endpoint, obedient, plugineval, started
from doubles.mcp_client import Home
from doubles.openai_server import Document, OpenAIServer, Reply, message
from plugineval.clients.checks.process import CheckProcess
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.settings import Settings
from secrecy.conftest import Planted

CASES, ANSWERED, IN_FLIGHT = 24, 6, 2


class Stuck:
    """Answers the first calls, each with what it was sent, then none."""

    def __init__(self) -> None:
        self.full = threading.Event()
        self.servers: list[OpenAIServer] = []
        self._asked = 0
        self.open = False

    def __call__(self, request: Document) -> Reply:
        self._asked += 1
        if self.open:
            return obedient(request)
        if self._asked >= ANSWERED + IN_FLIGHT:
            self.full.set()
        said = message(f"I was sent {self.servers[0].heads[-1]}")
        return said if self._asked <= ANSWERED else Reply(manner="hang")


@pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")
def test_a_killed_run_leaves_no_secret_behind_and_shows_none_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", DEFAULT_KEY)
    path = cases_file(tmp_path, [addition(f"c{number}", number) for number in range(CASES)])
    stuck = Stuck()
    with endpoint(stuck) as server:
        stuck.servers.append(server)
        options = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 1, "--concurrency", IN_FLIGHT)
        process = started("evaluate", path, *options, "--home", tmp_path / "home", "--json")
        assert stuck.full.wait(60)
        own = psutil.Process(process.pid)
        shown = [each.cmdline() for each in (own, *own.children(recursive=True))]
        process.kill()
        out, err = process.communicate()
        stuck.open = True
        resumed = plugineval("resume", "--last", "--json", "--home", tmp_path / "home")
    assert server.heads[0]["authorization"] == f"Bearer {DEFAULT_KEY}"
    assert leaks_in(f"{shown}{out}{err}{resumed.out}{resumed.err}".encode()) == []
    assert leaks_below(tmp_path) == []
    assert b"[redacted]" in cells_of(tmp_path / "home" / "plugineval.db")


@pytest.mark.anyio
async def test_an_unexpected_error_of_a_job_is_logged_and_stored_without_secrets(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = Home.at(tmp_path, '[models.m]\nbase_url = "http://h/v1"\nmodel = "m"\napi_key_env = "K"\n', K=MODEL_KEY)

    async def broken(context: JobContext) -> Json:
        raise RuntimeError(f"Request('POST', headers={{'authorization': 'Bearer {MODEL_KEY}'}})")

    with caplog.at_level(logging.ERROR):
        async with JobEngine.open(home.workspace(), {"broken": broken}) as engine:
            job = await engine.start("broken", {})
            with pytest.raises(Exception, match="internal error: RuntimeError") as raised:
                await engine.result(job.id)
    assert "RuntimeError: Request('POST'" in caplog.text
    assert "test_failures_keep_secrets.py" in caplog.text
    assert leaks_in(f"{caplog.text}{raised.value}".encode()) == []
    assert leaks_below(tmp_path) == []


def test_settings_are_printed_without_their_secrets(planted: Planted) -> None:
    settings = load_settings(config=None, home=planted.home, environ=ENVIRONMENT, cwd=planted.home)
    assert len(settings.secrets) >= len(ENVIRONMENT)
    assert settings.models["fast"].extra_body == {"gate": {"token": BODY_TOKEN}}
    shown = [str(value) + repr(value) for value in (settings, *settings.models.values(), *settings.plugins.values())]
    assert leaks_in("".join(shown).encode()) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (ModelConfig, {"id": "m", "model": "m", "base_url": [f"http://u:{MODEL_PASSWORD}@h"]}),
        (ModelConfig, {"id": "m", "model": "m", "headers": [MODEL_KEY]}),
        (ModelConfig, {"id": "m", "model": "m", "extra_body": MODEL_KEY, "api_key": MODEL_KEY}),
        (PluginRegistration, {"name": "p", "url": [f"http://u:{PLUGIN_PASSWORD}@h"]}),
        (PluginRegistration, {"name": "p", "command": "x", "env": [PLUGIN_VARIABLE], "args": {ODD_VARIABLE: 1}}),
        (Settings, {"home": ".", "database": [MODEL_PASSWORD], "secrets": {MODEL_KEY: 1}}),
    ],
)
def test_values_that_do_not_fit_are_refused_without_being_shown(
    kind: type[ModelConfig | PluginRegistration | Settings], fields: dict[str, object]
) -> None:
    with pytest.raises(ValidationError) as raised:
        kind.model_validate(fields)
    assert leaks_in(f"{raised.value} {raised.value!r}".encode()) == []


def test_a_check_finds_no_secret_in_its_environment_and_can_say_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAST_API_KEY", MODEL_KEY)
    monkeypatch.setenv("HARMLESS", "a-word-that-stays")
    body = f"import os\nraise ValueError(os.environ['HARMLESS'] + str(os.environ.get('FAST_API_KEY')) + {MODEL_KEY!r})"
    (tmp_path / "check.py").write_text(body)
    process = CheckProcess(("file", str(tmp_path / "check.py")), timeout_s=20, secrets=[SecretStr(MODEL_KEY)])
    try:
        problem = str(process.greeting()["problem"])
    finally:
        process.close()
    assert "a-word-that-staysNone[redacted]" in problem


@pytest.mark.skipif(os.name != "posix", reason="modes as they are on POSIX")
def test_what_a_home_holds_is_its_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert plugineval("runs", "--home", home).code == 0
    assert plugineval("init", "--from", _host_file(tmp_path), "--out", home / "plugineval.toml").code == 0
    assert plugineval("plugins", "leaky", "--home", home).code == 0
    assert not [path for path in (home, *home.iterdir()) if path.stat().st_mode & 0o077]


def _host_file(folder: Path) -> Path:
    script = Path(__file__).parents[1] / "doubles" / "plugins" / "leaky.py"
    path = folder / "mcp.json"
    server = f'{{"command": {str(sys.executable)!r}, "args": ["-S", {str(script)!r}]}}'.replace("'", '"')
    path.write_text(f'{{"mcpServers": {{"leaky": {server}}}}}')
    return path
