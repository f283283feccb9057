"""`plugineval hosts`: puts PluginEval into the hosts of this machine, takes it out, and packs it for others.

Claude Code is the one host whose user file is not edited here: the program keeps its own state in it and writes it
while it runs, so its own command does that. Of a project it reads `.mcp.json`, as several hosts do.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

from plugineval.clients.hosts.known_hosts import HOSTS, KnownHost, Scope, known_host
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.hosts_changing import Consent, Outcome, install, printed, uninstall
from plugineval.server.cli.hosts_listing import listed, show_listed
from plugineval.server.cli.hosts_packing import packed, registered
from plugineval.server.cli.option_groups import OptionGroup
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.terminal import echo_json, err, out


class HostWishes(Value):
    """What the options of `plugineval hosts` say."""

    scope: Scope | None = None
    consent: Consent = Consent.ASK
    only_print: bool = False
    output: Path | None = None


def _wishes(
    scope: Scope | None, yes: bool | None, dry_run: bool | None, only_print: bool | None, output: Path | None
) -> HostWishes:
    consent = Consent.NEVER if dry_run else Consent.GIVEN if yes else Consent.ASK
    return HostWishes(scope=scope, consent=consent, only_print=bool(only_print), output=output)


with_host_options = OptionGroup(
    name="wishes",
    options={
        "scope": Annotated[Scope | None, typer.Option("--scope", help="All of your projects, or this one.")],
        "yes": Annotated[bool | None, typer.Option("--yes", "-y", help="Do not ask.")],
        "dry_run": Annotated[bool | None, typer.Option("--dry-run", help="Show the change, and change nothing.")],
        "only_print": Annotated[
            bool | None, typer.Option("--print", help="Print the entry, to be put in place by hand.")
        ],
        "output": Annotated[
            Path | None, typer.Option("--out", metavar="FILE", help="bundle, registry: the file.", dir_okay=False)
        ],
    },
    make=_wishes,
)


@with_shared_options
@with_host_options
def hosts_command(
    action: Annotated[
        Literal["list", "install", "uninstall", "bundle", "registry"],
        typer.Argument(help="bundle: an .mcpb file. registry: a server.json."),
    ] = "list",
    host: Annotated[
        str | None, typer.Argument(metavar="HOST", help=", ".join(host.name for host in HOSTS) + ".")
    ] = None,
    namespace: Annotated[
        str | None, typer.Option(metavar="io.github.USER", help="registry: yours, which you have to own.")
    ] = None,
    *,
    wishes: HostWishes,
    shared: SharedOptions,
) -> None:
    """Put PluginEval into Claude Desktop, Claude Code, VS Code or Cursor; the change is shown first."""
    with reported(err(), as_json=shared.as_json):
        if action == "list":
            _list(shared)
        elif action == "bundle":
            _tell(packed(wishes.output), shared)
        elif action == "registry":
            _tell(registered(namespace, wishes.output), shared)
        else:
            _change(action, _named(action, host), wishes, shared)


def _named(action: str, name: str | None) -> KnownHost:
    if name is None:
        allowed = [host.name for host in HOSTS]
        step = f"run `plugineval hosts {action} HOST`"
        raise ConfigurationError("which host?", field="HOST", allowed=allowed, next_step=step)
    return known_host(name)


def _list(shared: SharedOptions) -> None:
    rows = listed(shared)
    if shared.as_json:
        echo_json({"hosts": rows})
    else:
        show_listed(rows, out())


def _change(action: str, host: KnownHost, wishes: HostWishes, shared: SharedOptions) -> None:
    if wishes.only_print:
        typer.echo(printed(host, wishes.scope, shared))
        return
    change = install if action == "install" else uninstall
    outcome = change(host, wishes.scope, wishes.consent, shared)
    _tell(outcome, shared)


def _tell(outcome: Outcome, shared: SharedOptions) -> None:
    if shared.as_json:
        echo_json(outcome.found)
        return
    if outcome.result:
        typer.echo(outcome.result)
    for line in outcome.told:
        err().print(printable(line), markup=False, highlight=False, soft_wrap=True)
