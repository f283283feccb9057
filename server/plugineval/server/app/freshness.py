"""How long what was read stays as it is: long where it is over, not at all where work goes on.

A report says in its first line whether it has expired, which depends on the day and on what was seen since: an hour.
The numbers of a finished run and what a benchmark holds never change: a day.
"""

from typing import TYPE_CHECKING

from plugineval.pccf.errors import PluginEvalError
from plugineval.server.app.answers import URI
from plugineval.server.store.states import BenchmarkState, RunState
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

NEVER, HOUR, DAY = 0, 3_600_000, 86_400_000
"""Milliseconds."""
LISTS = 3_600_000
"""Tools, prompts and templates change with the version of this program alone."""


async def fresh_for(workspace: Workspace, uri: str) -> int:
    """Milliseconds for which what was just read under `uri` may be used again."""
    if not uri.startswith(URI):
        return DAY
    shelf, _, rest = uri.removeprefix(URI).partition("/")
    name, _, part = rest.partition("?")[0].partition("/")
    try:
        return await _of_stored(await workspace.store(), shelf, name, part)
    except PluginEvalError:
        return NEVER


async def _of_stored(store: "Store", shelf: str, name: str, part: str) -> int:
    match shelf:
        case "cases":
            # Of several versions of a benchmark its newest case is read.
            return HOUR
        case "benchmarks":
            complete = (await store.benchmarks.summary(name)).state is BenchmarkState.COMPLETE
            # Its card and its versions grow with the next version.
            return NEVER if not complete else HOUR if part in ("card", "versions") else DAY
        case "reports":
            return HOUR if await _over(store, (await store.reports.get(name)).run_id) else NEVER
        case "runs":
            return DAY if await _over(store, name) else NEVER
        case _:
            return NEVER


async def _over(store: "Store", run_id: str) -> bool:
    """Whether nothing is to be added to a run: its job ended, and no case of it waits for an answer."""
    from plugineval.server.jobs.submitting import NOT_ANSWERED

    if (await store.runs.entry(run_id)).state is not RunState.COMPLETED:
        return False
    info = await store.runs.get(run_id)
    return not any(note.startswith(NOT_ANSWERED) for note in info.notes)
