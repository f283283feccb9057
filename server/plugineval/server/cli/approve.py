"""`plugineval approve`: what only a person decides about a plugin under test - a list of tools that changed, or a tool
that a job asks for. Without a name it shows what waits for an answer.
"""

import json
from typing import Annotated, NamedTuple

import typer

from plugineval.clients.plugins.approvals import ToolsChangedError
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.tool_changes import ToolChanges
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.cli.consent import agreed
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.requests_told import BY, show_request
from plugineval.server.cli.session import run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json, say_line
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.requests import Requests
from plugineval.server.trust.tool_lists import ToolLists
from plugineval.server.wiring import plugin_pool
from plugineval.server.wording import counted


class _Wish(NamedTuple):
    yes: bool
    refuse: bool


@with_shared_options
def approve_command(
    plugin: Annotated[str | None, typer.Argument(help="A plugin whose tools changed.")] = None,
    request: Annotated[str | None, typer.Option(help="The id of what a job asks for.")] = None,
    refuse: Annotated[bool, typer.Option("--refuse", help="Answer no to --request.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Answer yes without a question.")] = False,
    *,
    shared: SharedOptions,
) -> None:
    """Approve changed tools of a plugin, or a tool that a job asks for; without a name, show what waits."""
    wish = _Wish(yes, refuse)
    done = run(lambda: _approve(plugin, request, wish, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(done)
    raise typer.Exit(ExitCode.CHECK_FAILED if done.get("approved") is False and not refuse else ExitCode.OK)


async def _approve(plugin: str | None, request: str | None, wish: _Wish, shared: SharedOptions) -> dict[str, Json]:
    settings = read_settings(shared)
    if plugin is not None and request is not None:
        raise ConfigurationError("name one of the two", field="approve", allowed=("PLUGIN", "--request ID"))
    if request is not None:
        return _answer(Requests(settings.home), request, wish, shared)
    if plugin is not None:
        return await _approve_tools(settings, settings.plugin(plugin), wish)
    return _waiting(settings, shared)


async def _approve_tools(settings: Settings, registration: PluginRegistration, wish: _Wish) -> dict[str, Json]:
    """Ask the server for its tools as they are now: what is shown is what is approved."""
    name = registration.name
    try:
        async with plugin_pool(settings, [name]) as pool:
            plugin = await pool.snapshot(name)
    except ToolsChangedError as error:
        show_changes(name, error.changes)
        sure = agreed(f"Approve these tools of {name}?", yes=wish.yes)
        if sure:
            ToolLists(settings.home).approve(registration, error.listed, by=BY)
        say_line(f"{name}: {'approved' if sure else 'not approved; nothing of it is executed'}.")
        return {"plugin": name, "approved": sure, "changes": error.changes.model_dump(mode="json")}
    say_line(f"{name}: its {counted(len(plugin.tools), 'tool')} are approved as they are.")
    return {"plugin": name, "approved": True, "changes": None}


def show_changes(name: str, changes: ToolChanges) -> None:
    """The whole difference, with everything a plugin says neutralised."""
    say_line(f"{name} offers other tools than were approved:")
    for mark, names in (("+", changes.added), ("-", changes.removed)):
        for tool in names:
            say_line(f"  {mark} {tool}")
    for change in changes.changed:
        say_line(f"  ~ {change.tool}: {change.field}")
        say_line(f"      - {json.dumps(change.before, ensure_ascii=False)}")
        say_line(f"      + {json.dumps(change.after, ensure_ascii=False)}")
    if changes.order:
        say_line("  in another order")


def _answer(requests: Requests, request_id: str, wish: _Wish, shared: SharedOptions) -> dict[str, Json]:
    request = requests.get(request_id)
    if request.answer is not None:
        problem = f"it was answered already ({request.state})"
        step = f"run `{shared.command('resume', request.job_id)}`"
        raise ConfigurationError(problem, field="--request", next_step=step)
    show_request(request)
    sure = not wish.refuse and agreed("May it be executed in this job?", yes=wish.yes)
    requests.answer(request, granted=sure, by=BY)
    say_line(f"{'Confirmed' if sure else 'Refused'}. Next: {shared.command('resume', request.job_id)}")
    return {"plugin": request.plugin, "tool": request.tool, "job_id": request.job_id, "approved": sure}


def _waiting(settings: Settings, shared: SharedOptions) -> dict[str, Json]:
    lists = ToolLists(settings.home)
    found = {name: lists.pending(registration) for name, registration in settings.plugins.items()}
    changed = {name: changes for name, changes in found.items() if changes is not None}
    requests = Requests(settings.home).pending()
    for name, changes in changed.items():
        show_changes(name, changes)
        say_line(f"  {shared.command('approve', name)}")
    for request in requests:
        show_request(request)
        say_line(f"  {shared.command('approve', '--request', request.id)}")
    if not changed and not requests:
        say_line("Nothing waits for an approval.")
    return {
        "plugins": {name: changes.model_dump(mode="json") for name, changes in changed.items()},
        "requests": [request.model_dump(mode="json", exclude={"key", "answer"}) for request in requests],
    }
