"""The single checks of `plugineval doctor`, each of them free of side effects except that the database is opened."""

import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import mentions_copy
from plugineval.pccf.errors import ConfigurationError, PluginEvalError
from plugineval.server.cli.findings import Finding, Status
from plugineval.server.settings.settings import Settings, Unready

MINIMUM_PYTHON = (3, 11)
_MEGABYTE = 1_000_000
_SCARCE, _TOO_LITTLE = 500 * _MEGABYTE, 50 * _MEGABYTE


def python_finding(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """Whether the interpreter is new enough."""
    wanted = ".".join(map(str, MINIMUM_PYTHON))
    detail = f"{'.'.join(map(str, version))} on {platform.system()}"
    if version[:2] >= MINIMUM_PYTHON:
        return Finding(name="python", status=Status.OK, detail=detail)
    return Finding(name="python", status=Status.FAIL, detail=detail, fix=f"install Python {wanted} or newer")


def home_finding(home: Path) -> Finding:
    """Whether files can be made in the home, or where it would be made."""
    try:
        with tempfile.TemporaryFile(dir=_nearest(home)):
            pass
    except OSError as error:
        fix = "make it a directory that you may write in, or choose another with --home or PLUGINEVAL_HOME"
        detail = f"{home} cannot be written: {error.strerror or error}"
        return Finding(name="home", status=Status.FAIL, detail=detail, fix=fix)
    return Finding(name="home", status=Status.OK, detail=str(home) if home.exists() else f"{home} (made on first use)")


def disk_finding(home: Path) -> Finding:
    """Whether there is room for traces and results."""
    free = shutil.disk_usage(_nearest(home)).free
    status = Status.OK if free >= _SCARCE else Status.WARN if free >= _TOO_LITTLE else Status.FAIL
    fix = None if status is Status.OK else "free some space, or choose another home with --home or PLUGINEVAL_HOME"
    return Finding(name="disk", status=status, detail=f"{free // _MEGABYTE:,} MB free", fix=fix)


def database_finding(url: str) -> Finding:
    """Whether the database opens, and is of a version this program knows; migrates it as every command does."""
    from plugineval.server.store import Store

    try:
        store = Store.open(url)
    except PluginEvalError as error:
        return Finding.of_error("database", error)
    try:
        return Finding(name="database", status=Status.OK, detail=f"{store.place} opens")
    finally:
        store.close()


def settings_finding(settings: Settings) -> Finding:
    """Where the settings come from."""
    if settings.source is not None:
        return Finding(name="settings", status=Status.OK, detail=f"{settings.source} is sound")
    return Finding(
        name="settings",
        status=Status.WARN,
        detail="no plugineval.toml that counts in the working directory or the home; no plugin is registered",
        fix="run `plugineval init`" if settings.untrusted is None else settings.untrusted.next_step,
    )


def plugin_findings(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether each plugin could be started."""
    for entry in settings.unready:
        if entry.kind == "plugin":
            yield _unready(entry)
    for registration in settings.plugins.values():
        yield _plugin(registration, environ)
    if settings.source is not None and not settings.plugins:
        detail = "no plugin is registered that could be used"
        fix = 'write [plugins.math] with command = "mcp-mathematics", or run `plugineval init`'
        yield Finding(name="plugins", status=Status.WARN, detail=detail, fix=fix)


def model_findings(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether each model's address is one and its key is there. Nothing is sent."""
    for entry in settings.unready:
        if entry.kind == "model":
            yield _unready(entry)
    for model in settings.models.values():
        yield _model(f"model {model.id}", model, environ)


def role_findings(settings: Settings, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether every role has somebody to play it, and nobody judges his own work unnoticed (P17)."""
    problems = {role: _unplayable(settings, players, environ) for role, players in settings.roles.assigned.items()}
    broken = {role: problem for role, problem in problems.items() if problem is not None}
    for role, problem in broken.items():
        yield problem.model_copy(update={"name": f"role {role}"})
    if not broken:
        players = sorted({model for models in settings.roles.assigned.values() for model in models})
        yield Finding(name="roles", status=Status.OK, detail=f"played by {', '.join(players)}")
    if settings.roles.self_judged:
        yield _bias(settings)
    if words := settings.roles.judged_by_words:
        fix = "under [roles], name models for these roles"
        yield Finding(name="judging", status=Status.WARN, detail=words, fix=fix)


def _bias(settings: Settings) -> Finding:
    allowed = settings.build.verification.allow_self_judged
    names = ", ".join(settings.roles.self_judged)
    return Finding(
        name="bias",
        status=Status.WARN if allowed else Status.FAIL,
        detail=f"{names} generates and evaluates: its own mistakes may pass, and every record will say so"
        + ("" if allowed else "; [build.verification] allow_self_judged = false refuses this"),
        fix="under [roles], give generators and evaluators to different models",
    )


def _unplayable(settings: Settings, players: tuple[str, ...], environ: Mapping[str, str]) -> Finding | None:
    for model in players:
        if model.startswith("openai:"):
            found = _model("role", ModelConfig(id=model, model=model.removeprefix("openai:")), environ)
            if found.status is Status.FAIL:
                return found
        waiting = next((entry for entry in settings.unready if (entry.kind, entry.name) == ("model", model)), None)
        if waiting is not None:
            return _unready(waiting)
    return None


def _plugin(registration: PluginRegistration, environ: Mapping[str, str]) -> Finding:
    from plugineval.clients.plugins.commands import resolve_command
    from plugineval.clients.plugins.fixtures import check_fixture

    name = f"plugin {registration.name}"
    if registration.url is not None:
        return Finding(name=name, status=Status.OK, detail=f"reached at {_host_of(registration.url)}")
    try:
        command = resolve_command(registration, environ)
        check_fixture(registration)
    except PluginEvalError as error:
        return Finding.of_error(name, error)
    cwd = registration.cwd
    if cwd is not None and not mentions_copy([str(cwd)]) and not cwd.is_dir():
        detail, fix = f"its working directory {registration.cwd} does not exist", "create it, or correct cwd"
        return Finding(name=name, status=Status.FAIL, detail=detail, fix=fix)
    if registration.shows_secrets:
        detail = "a key stands in its arguments, and every user of this machine sees those in the list of processes"
        fix = f"give it in [{registration.field}.env] where the server can read it there"
        return Finding(name=name, status=Status.WARN, detail=detail, fix=fix)
    if registration.sandbox is None:
        return Finding(name=name, status=Status.OK, detail=f"{command} is there")
    detail = f"{command} is there, and its fixture {registration.sandbox.fixture} can be copied"
    return Finding(name=name, status=Status.OK, detail=detail)


def _model(name: str, model: ModelConfig, environ: Mapping[str, str]) -> Finding:
    from plugineval.clients.models.access import access_of
    from plugineval.clients.models.dialects import dialect_for

    try:
        access = access_of(model, environ)
        dialect = dialect_for(model, access.base_url)
    except ConfigurationError as error:
        return Finding.of_error(name, error)
    key = f"its key is in {model.api_key_env}" if model.api_key_env else "without a key of its own"
    ways = f"dialect {dialect.name} ({dialect.ways})"
    detail = f"{model.model} at {_host_of(access.base_url)}, {key}; {ways}"
    return Finding(name=name, status=Status.OK, detail=detail)


def _unready(entry: Unready) -> Finding:
    return Finding.of_error(f"{entry.kind} {entry.name}", entry.error())


def _host_of(url: str) -> str:
    """Scheme and host alone: keys hide in every other part of an address."""
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}"


def _nearest(path: Path) -> Path:
    """`path`, or the nearest folder above it that exists."""
    return next(place for place in (path, *path.parents) if place.exists())
