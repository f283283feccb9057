"""A plugin that says every secret it can find, wherever a plugin can say anything: none of it reaches a record."""

import logging
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from doubles.canaries import (
    ERRAND_TOKEN,
    ODD_VARIABLE,
    PLUGIN_ARGUMENT,
    PLUGIN_HEADER,
    PLUGIN_PASSWORD,
    PLUGIN_QUERY_KEY,
    PLUGIN_VARIABLE,
    SHELL_SECRET,
    leaks_below,
    leaks_in,
)
from doubles.plugins import leaky
from plugineval.clients.plugins.last_words import LastWords
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.clients.plugins.restarts import RestartSchedule
from plugineval.clients.plugins.sandbox import Sandbox
from plugineval.clients.redaction import LONGEST
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import plugin_pool

pytestmark = pytest.mark.anyio

SCRIPT = Path(leaky.__file__)
ARGUMENTS = ("-S", str(SCRIPT), "--token", PLUGIN_ARGUMENT)


def _registration(**fields: object) -> PluginRegistration:
    given = {
        "name": "leaky",
        "command": sys.executable,
        "args": ARGUMENTS,
        "env": {"NOTES_TOKEN": SecretStr(PLUGIN_VARIABLE), "ODD": SecretStr(ODD_VARIABLE)},
        "policy": ExecutionPolicy.SANDBOXED,
        "call_timeout_s": 10.0,
    }
    return PluginRegistration.model_validate({**given, **fields})


@asynccontextmanager
async def _pool(home: Path, registration: PluginRegistration) -> AsyncGenerator[PluginPool]:
    schedule = RestartSchedule(give_up_after=1)
    async with PluginPool(
        [registration], home=home, secrets=[SecretStr(SHELL_SECRET)], schedule=schedule, grace_s=1
    ) as pool:
        yield pool


@pytest.fixture
def shell_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SHELL_SECRET)


def _printed(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> bytes:
    said = capfd.readouterr()
    return f"{said.out}{said.err}{caplog.text}".encode()


async def test_the_listing_and_every_result_are_without_secrets(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with _pool(tmp_path, _registration()) as pool:
        plugin = await pool.snapshot("leaky")
        seen = [plugin.model_dump_json()]
        for tool in plugin.tools:
            if tool.name == "get_nothing":
                continue
            observation = await pool.call(tool, {"text": "hello"})
            seen += [observation.model_dump_json(), repr(observation)]
    shown = "\n".join(seen).encode()
    assert shown.count(b"[secret]") > 30
    assert leaks_in(shown) == []
    assert leaks_below(tmp_path) == []
    assert leaks_in(_printed(capfd, caplog)) == []


async def test_the_plugin_did_know_the_secrets(tmp_path: Path) -> None:
    """Without this, the test above could pass because nothing was said."""
    async with _pool(tmp_path, _registration(args=("-S", str(SCRIPT), "--length"))) as pool:
        tool = next(tool for tool in (await pool.snapshot("leaky")).tools if tool.name == "get_text")
        plain = await pool.call(tool, {"text": "x"})
    assert plain.text.count("[secret]") >= 2


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.usefixtures("shell_secret")
async def test_what_it_read_in_the_environment_of_another_process_is_struck_out(tmp_path: Path) -> None:
    # The environment of this process is what it was started with: a child of ours has the secret in its own.
    command = [sys.executable, "-S", "-c", "print('up', flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline()
        async with _pool(tmp_path, _registration(args=("-S", str(SCRIPT), "--spy", str(child.pid)))) as pool:
            tool = next(tool for tool in (await pool.snapshot("leaky")).tools if tool.name == "get_spied")
            found = await pool.call(tool, {"text": "x"})
        child.communicate(b"\n")
    assert "AWS_SECRET_ACCESS_KEY=[secret]" in found.text
    assert leaks_in(found.model_dump_json().encode()) == []


async def test_a_line_that_is_no_answer_is_quoted_without_secrets(tmp_path: Path) -> None:
    async with _pool(tmp_path, _registration(call_timeout_s=0.3)) as pool:
        tool = next(tool for tool in (await pool.snapshot("leaky")).tools if tool.name == "get_nothing")
        found = await pool.call(tool, {"text": "x"})
    assert "what came on stdout was no JSON-RPC message" in found.detail
    assert leaks_in(found.model_dump_json().encode()) == []


def test_a_secret_that_comes_in_two_pieces_of_an_endless_line_is_struck_out(tmp_path: Path) -> None:
    words = LastWords(tmp_path / "stderr.log", Redactor([SecretStr(PLUGIN_VARIABLE)]))
    for length in range(70_000, 70_020):
        words.feed(b"y" * length + PLUGIN_VARIABLE[:15].encode())
        words.feed(PLUGIN_VARIABLE[15:].encode() + b"z" * length + PLUGIN_VARIABLE.encode())
        words.feed(b"\n")
    # Whole, but where the line is cut.
    words.feed(b"y" * 70_000 + PLUGIN_VARIABLE.encode() + b"z" * (LONGEST - 10))
    words.finish()
    assert (tmp_path / "stderr.log").read_text().count("[secret]") >= 2
    assert leaks_below(tmp_path) == []


async def test_a_plugin_that_does_not_start_says_no_secret(tmp_path: Path) -> None:
    async with _pool(tmp_path, _registration(args=(*ARGUMENTS, "--refuse"))) as pool:
        with pytest.raises(PluginUnavailableError) as raised:
            await pool.snapshot("leaky")
    assert "no licence for" in str(raised.value)
    assert leaks_in(f"{raised.value} {raised.value!r}".encode()) == []
    assert leaks_below(tmp_path) == []


async def test_an_address_with_secrets_is_shown_without_them(tmp_path: Path) -> None:
    url = f"http://user:{PLUGIN_PASSWORD}@127.0.0.1:9/mcp?key={PLUGIN_QUERY_KEY}"
    registration = PluginRegistration(name="far", url=url, headers={"X-Token": SecretStr(PLUGIN_HEADER)})
    async with _pool(tmp_path, registration) as pool:
        with pytest.raises(PluginUnavailableError, match=r"127\.0\.0\.1:9") as raised:
            await pool.snapshot("far")
    assert leaks_in(f"{raised.value} {registration!r} {registration}".encode()) == []


async def test_a_command_of_a_sandbox_that_fails_says_no_secret(tmp_path: Path) -> None:
    (tmp_path / "fixture").mkdir()
    script = "import sys; sys.exit(' '.join(sys.argv))"
    reset = [sys.executable, "-S", "-c", script, f"--token={ERRAND_TOKEN}"]
    sandbox = Sandbox.model_validate({"copy": str(tmp_path / "fixture"), "reset": [reset], "cleanup": [reset]})
    async with _pool(tmp_path / "home", _registration(sandbox=sandbox)) as pool:
        with pytest.raises(PluginUnavailableError, match="--token=") as raised:
            await pool.snapshot("leaky")
    assert leaks_in(str(raised.value).encode()) == []
    assert leaks_below(tmp_path / "home") == []


@pytest.mark.skipif(os.name != "posix", reason="modes as they are on POSIX")
async def test_what_a_plugin_wrote_is_its_owners_alone(tmp_path: Path) -> None:
    async with _pool(tmp_path, _registration()) as pool:
        await pool.snapshot("leaky")
    assert oct((tmp_path / "plugins").stat().st_mode & 0o077) == "0o0"


async def test_variables_and_headers_are_never_arguments_of_a_process(tmp_path: Path) -> None:
    async with _pool(tmp_path, _registration(args=("-S", str(SCRIPT)))) as pool:
        await pool.snapshot("leaky")
        children = psutil.Process().children(recursive=True)
        lines = [child.cmdline() for child in children]
    assert any(str(SCRIPT) in line for line in lines)
    assert leaks_in(str(lines).encode()) == []


async def test_the_loggers_that_quote_plugins_are_silent_in_the_program(tmp_path: Path) -> None:
    plugin_pool(Settings(home=tmp_path, database="sqlite:///x"), [])
    assert not any(logging.getLogger(name).isEnabledFor(logging.ERROR) for name in ("client", "mcp.client.stdio"))
