"""Installing and uninstalling: shown, agreed to, done, and told what is left for the person to do."""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum

import typer

from plugineval.clients.hosts.document import server_entries
from plugineval.clients.hosts.host_file import Host, HostFile
from plugineval.clients.hosts.installing import FileChange, installation, removal, snippet
from plugineval.clients.hosts.known_hosts import KnownHost, Scope, chosen_scope, claude_add, claude_remove
from plugineval.clients.hosts.own_entry import NAME, OwnServer, own_entry, spoken_command, starts_plugineval
from plugineval.clients.hosts.placing import put_in_place
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.hosts_listing import NO_PROJECT
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.own_server import around_here, own_server
from plugineval.server.cli.plain_text import printable
from plugineval.server.settings.settings import Settings

_PATIENCE_S = 60
_OF_THIS_MACHINE = "The entry holds paths of this machine: do not share that file with other people."


class Consent(StrEnum):
    """Whether a change that was shown may be made."""

    ASK = "ask"
    GIVEN = "given"
    NEVER = "never"


class Outcome(Value):
    """What was done."""

    found: dict[str, Json]
    """For scripts."""
    result: str = ""
    """What a person asked for, on stdout."""
    told: tuple[str, ...] = ()
    """What a person should know, on stderr."""


def printed(host: KnownHost, scope: Scope | None, shared: SharedOptions) -> str:
    """The entry for a file that is changed by hand, or the command that makes it."""
    server, _ = own_server(shared)
    if _by_command(host, chosen_scope(host, scope)):
        return shlex.join(claude_add(own_entry(server, host), NAME))
    return json.dumps(snippet(host, server), indent=2, ensure_ascii=False)


def install(host: KnownHost, scope: Scope | None, consent: Consent, shared: SharedOptions) -> Outcome:
    """Put this installation into `host`; `ConfigurationError` says why not, and nothing has changed then."""
    server, settings = own_server(shared)
    where = chosen_scope(host, scope)
    again = _words("install", host, where)
    if _by_command(host, where):
        outcome = _install_by_command(host, server, consent, shared.command(*again, "--yes"))
    else:
        change = installation(host, host.place(where, around_here()), server, where)
        outcome = _done(host, where, change, consent, shared.command(*again, "--yes"))
    note = (_OF_THIS_MACHINE,) if where is Scope.PROJECT else ()
    return outcome.model_copy(update={"told": (*outcome.told, *note, *_of_settings(settings, shared))})


def uninstall(host: KnownHost, scope: Scope | None, consent: Consent, shared: SharedOptions) -> Outcome:
    """Take PluginEval out of `host` again."""
    where = chosen_scope(host, scope)
    path = host.place(where, around_here())
    again = shared.command(*_words("uninstall", host, where), "--yes")
    if _by_command(host, where):
        return _uninstall_by_command(host, consent, again)
    change = removal(host, path)
    if change is None:
        return Outcome(found=_found(host, where, str(path), changed=False), told=(f"{path} does not list {NAME}.",))
    return _done(host, where, change, consent, again)


def _done(host: KnownHost, scope: Scope, change: FileChange, consent: Consent, again: str) -> Outcome:
    found = _found(host, scope, str(change.path), changed=change.needed)
    fill = _to_fill(change)
    if not change.needed:
        return Outcome(
            found={**found, "to_fill": [*change.to_fill]}, told=(f"{change.path} is as it should be.", *fill)
        )
    found |= {"diff": change.diff, "to_fill": [*change.to_fill], "backup": None}
    if not _agreed(printable(change.diff), consent, again, f"Change {change.path}?"):
        return _left_alone(found, printable(change.diff), consent)
    kept = put_in_place(change.path, before=change.before, after=change.after, now=datetime.now(UTC))
    copy = [f"The file that was there is kept as {kept}."] if kept else []
    told = (f"Wrote {change.path}.", *copy, *fill, f"Next: {host.takes_effect}.")
    return Outcome(found={**found, "backup": str(kept) if kept else None}, told=told)


def _agreed(shown: str, consent: Consent, again: str, question: str) -> bool:
    """Whether the change may be made; `ConfigurationError` with the command where nobody can be asked."""
    if consent is not Consent.ASK:
        if consent is Consent.GIVEN:
            typer.echo(shown, err=True)
        return consent is Consent.GIVEN
    typer.echo(shown, err=True)
    if not sys.stdin.isatty():
        raise ConfigurationError("nobody can be asked here; nothing was changed", next_step=f"run `{again}`")
    return typer.confirm(question, err=True)


def _left_alone(found: dict[str, Json], shown: str, consent: Consent) -> Outcome:
    result = shown if consent is Consent.NEVER else ""
    return Outcome(found={**found, "changed": False}, result=result, told=("Nothing was changed.",))


def _install_by_command(host: KnownHost, server: OwnServer, consent: Consent, again: str) -> Outcome:
    entry = own_entry(server, host)
    existing = _present(host)
    if existing is not None:
        if {**entry, **existing} == existing:
            told = (f"{host.host} has {NAME} as it should be.",)
            return Outcome(found=_found(host, Scope.USER, _own_file(host), changed=False), told=told)
        step = f"run `plugineval hosts uninstall {host.name}` first, if this is to take its place"
        problem = f"{NAME} is in there already, with other settings: {spoken_command(existing)}"
        raise ConfigurationError(problem, field=_own_file(host), next_step=step)
    return _run(host, claude_add(entry, NAME), consent, again)


def _uninstall_by_command(host: KnownHost, consent: Consent, again: str) -> Outcome:
    existing = _present(host)
    if existing is None:
        found = _found(host, Scope.USER, _own_file(host), changed=False)
        return Outcome(found=found, told=(f"{host.host} does not list {NAME}.",))
    if not starts_plugineval(existing):
        step = "remove it by hand if you do not want it"
        problem = f"another server is called {NAME} in there; it starts {spoken_command(existing)}"
        raise ConfigurationError(problem, field=_own_file(host), next_step=step)
    return _run(host, claude_remove(NAME), consent, again)


def _run(host: KnownHost, words: Sequence[str], consent: Consent, again: str) -> Outcome:
    shown = shlex.join(words)
    found: dict[str, Json] = {**_found(host, Scope.USER, _own_file(host), changed=True), "command": shown}
    if not _agreed(shown, consent, again, "Run this?"):
        return _left_alone(found, shown, consent)
    program = shutil.which(words[0])
    if program is None:
        step = f"run this where Claude Code is: {shown}. Or write .mcp.json for this project: --scope project"
        raise ConfigurationError(f"{words[0]} is not on the PATH", field=str(host.host), next_step=step)
    try:
        ended = subprocess.run(
            [program, *words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigurationError(f"{program} did not work ({error})", next_step=f"run it yourself: {shown}") from error
    if ended.returncode:
        said = printable(ended.stderr.strip() or ended.stdout.strip())
        raise ConfigurationError(f"{words[0]} refused: {said}", next_step=f"run it yourself: {shown}")
    return Outcome(found=found, told=(printable(ended.stdout.strip()), f"Next: {host.takes_effect}."))


def _present(host: KnownHost) -> dict[str, Json] | None:
    """Our entry among the user's own in Claude Code's file."""
    path = host.place(Scope.USER, around_here())
    if not path.is_file():
        return None
    entry = server_entries(HostFile(host=host.host, path=path), NO_PROJECT).get(NAME)
    return entry if isinstance(entry, dict) else None


def _by_command(host: KnownHost, scope: Scope) -> bool:
    return host.host is Host.CLAUDE_CODE and scope is Scope.USER


def _own_file(host: KnownHost) -> str:
    return str(host.place(Scope.USER, around_here()))


def _words(action: str, host: KnownHost, scope: Scope) -> tuple[str, ...]:
    chosen = () if scope is host.scopes[0] else ("--scope", scope.value)
    return ("hosts", action, host.name, *chosen)


def _found(host: KnownHost, scope: Scope, path: str, *, changed: bool) -> dict[str, Json]:
    return {"host": host.name, "scope": scope.value, "path": path, "changed": changed}


def _to_fill(change: FileChange) -> list[str]:
    names = ", ".join(change.to_fill)
    return (
        [f"Your settings take {names} from the environment: write it into env of that entry yourself."] if names else []
    )


def _of_settings(settings: Settings, shared: SharedOptions) -> tuple[str, ...]:
    if settings.untrusted is not None:
        return (settings.untrusted.sentence,)
    if settings.source is not None:
        return (f"The server reads {settings.source}.",)
    file = settings.home / "plugineval.toml"
    return (f"No plugin is registered yet: {shared.command('init', '--out', str(file))}",)
