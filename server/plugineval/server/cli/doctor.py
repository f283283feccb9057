"""`plugineval doctor`: checks everything a first run needs, and says how to mend what is wrong.

Exit codes: 0 nothing failed, 1 a check failed, 2 the settings cannot be read. With `--plugins` every plugin is
started, its tools are listed, and it is ended again.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import ConfigurationError, PluginEvalError
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.doctor_checks import (
    database_finding,
    disk_finding,
    home_finding,
    model_findings,
    plugin_findings,
    python_finding,
    role_findings,
    settings_finding,
)
from plugineval.server.cli.doctor_safety import safety_findings
from plugineval.server.cli.doctor_schedules import schedule_findings
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.findings import Finding, Status, passed
from plugineval.server.cli.options import ConfigOption, HomeOption, JsonOption
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.terminal import echo_json, out
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.locations import find_home
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import plugin_pool

if TYPE_CHECKING:
    from rich.console import Console

    from plugineval.clients.plugins.pool import PluginPool

_STYLES = {Status.OK: "green", Status.WARN: "yellow", Status.FAIL: "red"}


class Examination(Value):
    """What is to be examined: the command's options and its surroundings."""

    config: Path | None = None
    home: Path | None = None
    start_plugins: bool = False
    environ: dict[str, str]
    cwd: Path


class Diagnosis(Value):
    """All findings, and the exit code that follows from them."""

    findings: tuple[Finding, ...]
    exit_code: int


async def diagnose(examination: Examination) -> Diagnosis:
    """Run every check that can be run; broken settings leave the checks that do not need them."""
    home = find_home(home=examination.home, environ=examination.environ, cwd=examination.cwd)
    ground = (python_finding(), home_finding(home), disk_finding(home))
    try:
        settings = load_settings(
            config=examination.config, home=examination.home, environ=examination.environ, cwd=examination.cwd
        )
    except ConfigurationError as error:
        broken = Finding.of_error("settings", error)
        return Diagnosis(findings=(*ground, broken), exit_code=ExitCode.USAGE)
    findings = (*ground, *_examined(settings, examination.environ))
    findings = (*findings, *await schedule_findings(settings, examination.environ))
    if examination.start_plugins:
        findings = (*findings, *await started_plugins(settings))
    return Diagnosis(findings=findings, exit_code=ExitCode.OK if passed(findings) else ExitCode.CHECK_FAILED)


def _examined(settings: Settings, environ: Mapping[str, str]) -> tuple[Finding, ...]:
    return (
        settings_finding(settings),
        database_finding(settings.database),
        *plugin_findings(settings, environ),
        *model_findings(settings, environ),
        *role_findings(settings, environ),
        *safety_findings(settings),
    )


async def started_plugins(settings: Settings) -> tuple[Finding, ...]:
    """Start every plugin that is ready, all at once, and list its tools."""
    found: dict[str, Finding] = {}

    async def start(pool: "PluginPool", registration: PluginRegistration) -> None:
        found[registration.name] = await _started(pool, registration)

    ready = [registration for registration in settings.plugins.values() if _can_be_copied(registration)]
    async with plugin_pool(settings, [each.name for each in ready]) as pool, anyio.create_task_group() as tasks:
        for registration in ready:
            tasks.start_soon(start, pool, registration)
    return tuple(found[registration.name] for registration in ready)


def _can_be_copied(registration: PluginRegistration) -> bool:
    """Whether the fixture is sound, if there is one; the finding of the plugin itself says why not."""
    from plugineval.clients.plugins.fixtures import check_fixture

    try:
        check_fixture(registration)
    except ConfigurationError:
        return False
    return True


async def _started(pool: "PluginPool", registration: PluginRegistration) -> Finding:
    name = f"tools of {registration.name}"
    try:
        plugin = await pool.snapshot(registration.name)
    except PluginEvalError as error:
        return Finding.of_error(name, error)
    allowed = sum(pool.may_execute(tool).allowed for tool in plugin.tools)
    detail = f"{plugin.server_name or plugin.name} {plugin.version}: {len(plugin.tools)} tools"
    if not plugin.tools:
        fix = "check what the server needs to offer its tools, such as a login or an argument"
        return Finding(name=name, status=Status.WARN, detail=detail, fix=fix)
    if allowed:
        return Finding(name=name, status=Status.OK, detail=f"{detail}, {allowed} may be executed")
    fix = f'set policy = "ask" under [plugins.{registration.name}], or "sandboxed" if it works on a throw-away copy'
    return Finding(name=name, status=Status.WARN, detail=f"{detail}, none may be executed", fix=fix)


def as_json(diagnosis: Diagnosis) -> Json:
    """The findings, for scripts."""
    findings: list[Json] = [finding.model_dump(mode="json") for finding in diagnosis.findings]
    return {"ok": passed(diagnosis.findings), "exit_code": diagnosis.exit_code, "findings": findings}


def show(diagnosis: Diagnosis, console: "Console") -> None:
    """The findings, for people."""
    from rich.text import Text

    width = max(len(finding.name) for finding in diagnosis.findings)
    for finding in diagnosis.findings:
        line = Text.assemble(
            (f"{finding.status.value:4}  ", _STYLES[finding.status]),
            f"{finding.name:{width}}  {printable(finding.detail)}",
        )
        if finding.fix:
            line.append(f"\n      {'':{width}}  fix: {printable(finding.fix)}", "dim")
        console.print(line, soft_wrap=True)


def doctor_command(
    config: ConfigOption = None,
    home: HomeOption = None,
    plugins: Annotated[bool, typer.Option("--plugins", help="Also start every plugin and list its tools.")] = False,
    json_output: JsonOption = False,
) -> None:
    """Check that everything PluginEval needs is there, and say how to mend what is not."""
    examination = Examination(config=config, home=home, start_plugins=plugins, environ=dict(os.environ), cwd=Path.cwd())
    diagnosis = anyio.run(diagnose, examination)
    if json_output:
        echo_json(as_json(diagnosis))
    else:
        show(diagnosis, out())
    raise typer.Exit(diagnosis.exit_code)
