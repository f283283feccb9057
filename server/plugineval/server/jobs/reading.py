"""Stored reports, as commands and resources name them, and whether their numbers still hold today."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from plugineval.harness.expiry import Expiry, Today, expiry_of_report
from plugineval.harness.gold_changes import GoldChanges, gold_changes
from plugineval.harness.report import Report
from plugineval.harness.run import ToolPrint
from plugineval.harness.scope import gold_hash, tool_prints
from plugineval.pccf.errors import IncompleteError, UnknownNameError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.tools import Toolset

if TYPE_CHECKING:
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import RunEntry

RUNS_LOOKED_AT = 100
"""The newest runs, among which a later measurement of a model is looked for."""


async def read_report(store: "Store", named: str) -> Report:
    """The report of a run, or of one grading; `IncompleteError` where the run has none, `UnknownNameError` without a
    run.
    """
    try:
        return Report.model_validate((await store.reports.get(named)).body)
    except UnknownNameError:
        run = await store.runs.entry(named)
    try:
        return Report.model_validate((await store.reports.get(run.id)).body)
    except UnknownNameError as error:
        raise IncompleteError(
            f"run {run.id} is {run.state.value} and has no report yet",
            field="run",
            next_step="call job_get to find its job, then job_get or job_resume",
        ) from error


async def expiry_now(store: "Store", report: Report, now: datetime) -> Expiry:
    """Why the numbers no longer hold, from what the store has seen since: plugins, gold, and later runs (X4)."""
    return expiry_of_report(report, await today(store, report), now=now)


async def today(store: "Store", report: Report) -> Today:
    """What is known of today. Tools and gold of a cases file live in the file, which the store does not follow."""
    run = await store.runs.entry(report.run.id)
    benchmark = None if run.benchmark_id is None else await store.benchmarks.get(run.benchmark_id)
    gold, changes = await _gold(store, report, benchmark)
    return Today(
        tools=None if benchmark is None else await _tools(store, benchmark),
        gold_hash=gold,
        gold_changes=changes,
        served_models=await _served(store, report, run),
    )


async def _tools(store: "Store", benchmark: Benchmark) -> dict[str, ToolPrint] | None:
    """The tools of the newest snapshots; None where one of the plugins was never seen."""
    try:
        plugins = [await store.plugins.get(plugin.name) for plugin in benchmark.plugins]
    except UnknownNameError:
        return None
    return tool_prints(Toolset.of_plugins(plugins).tools)


async def _gold(store: "Store", report: Report, benchmark: Benchmark | None) -> tuple[str | None, GoldChanges | None]:
    """The newest gold: that of the last regrading which revised it, else that of the benchmark's newest version.

    Of the latter also what is different: a version may have more cases, or other ones, with no gold revised.
    """
    first, *later = [grading.gold_hash for grading in await store.gradings.all(report.run.id)]
    for revised in reversed(later):
        if revised not in {"", first}:
            return revised, None
    if benchmark is None:
        return None, None
    from plugineval.server.jobs.cases import cases_of_benchmark

    newest = [version.id for version in await store.benchmarks.versions(benchmark.id)][-1:]
    current = benchmark if newest in ([], [benchmark.id]) else await store.benchmarks.get(newest[0])
    cases = cases_of_benchmark(current)
    if (found := gold_hash(cases)) == report.run.scope.gold_hash:
        return found, None
    return found, gold_changes([case async for case in await store.runs.cases(report.run.id)], cases)


async def _served(store: "Store", report: Report, run: "RunEntry") -> dict[str, str]:
    """What answered to the same model ids in the newest run that began after this one."""
    newest = await store.runs.entries(limit=RUNS_LOOKED_AT)
    later = [other for other in newest if other.started_at > run.started_at]
    wanted = [model.id for model in report.models if model.floor is None]
    found = {model: await _last_served(store, model, later) for model in wanted}
    return {model: served for model, served in found.items() if served is not None}


async def _last_served(store: "Store", model: str, runs: Iterable["RunEntry"]) -> str | None:
    for run in runs:
        served = await store.attempts.served(run.id, model) if model in run.models else None
        if served is not None:
            return served
    return None
