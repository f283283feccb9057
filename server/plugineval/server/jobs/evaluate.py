"""The evaluation job: every model of a stored run on every case of it, then the report."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.harness.cases import Case
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.matrix import RunPorts, run_matrix
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.run import RunConfig, RunInfo, Scope
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.facts import construction_of
from plugineval.server.jobs.outcomes import evaluation_outcome
from plugineval.server.jobs.params import EvaluateParams
from plugineval.server.settings.roles import BASELINE
from plugineval.server.wiring import open_routers
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

REFUSALS_LISTED = 100
FLOORS = {BASELINE: "matches words and schemas; deterministic, no language model"}


class RunSource(Value):
    """Where the cases of a run come from."""

    scope: Scope
    benchmark_id: str | None = None
    refused: tuple[str, ...] = ()
    """Why a line of a cases file is not among the cases, one sentence for each: the report lists them (X11)."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The refusals as notes of the run; beyond a hundred only their number."""
        listed = tuple(f"Refused: {sentence}" for sentence in self.refused[:REFUSALS_LISTED])
        more = len(self.refused) - len(listed)
        return (*listed, f"Refused: {more} more lines") if more else listed


async def plan_run(
    workspace: Workspace, cases: Iterable[Case], *, source: RunSource, config: RunConfig, base_url: str | None
) -> EvaluateParams:
    """Store a run and its cases, ready to be started; models that cannot be used are refused before anything is."""
    from plugineval.server.store.ids import new_id

    async with open_routers(workspace.settings, config, base_url=base_url, environ=workspace.environ):
        store = await workspace.store()
    scope = source.scope
    info = RunInfo(id=new_id("run"), config=config, scope=scope, started_at=datetime.now(UTC), notes=source.notes)
    await store.runs.create(info, cases=cases, benchmark_id=source.benchmark_id, source=scope.benchmark)
    return EvaluateParams(run_id=info.id, base_url=base_url, refused_cases=len(source.refused))


async def run_evaluation(context: JobContext) -> Json:
    """Run the matrix and write the report; the result is what `plugineval evaluate --json` prints."""
    params = EvaluateParams.model_validate(context.params)
    workspace, store, started = context.workspace, context.store, time.monotonic()
    info = await store.runs.get(params.run_id)
    cases = [case async for case in await store.runs.cases(info.id)]
    settings, environ = workspace.settings, workspace.environ

    def progress(done: int, total: int) -> None:
        context.progress(done, total, "calls")

    ports = RunPorts(ledger=context.journal, log=store.attempts.log(info.id), progress=progress)
    async with open_routers(settings, info.config, base_url=params.base_url, environ=environ) as models:
        summary = await run_matrix(cases, models, info.config, ports)
    finished = info.model_copy(update={"finished_at": datetime.now(UTC), "prompt_hashes": summary.prompt_hashes})
    await store.runs.finish(finished)
    report = await make_report(store, finished, cases)
    await store.reports.save(info.id, report)
    for kind in ("runs", "reports"):
        await workspace.announce(f"plugineval://{kind}/{info.id}")
    outcome = evaluation_outcome(report, context.journal, seconds=time.monotonic() - started)
    return outcome.model_copy(update={"refused_cases": params.refused_cases}).model_dump(mode="json")


async def make_report(store: "Store", info: RunInfo, cases: list[Case]) -> Report:
    """The report of a run's stored rows, with the degenerate models graded beside them (X8). No model is called."""
    by_id = {case.id: case for case in cases}
    construction = await construction_of(store, info.id)
    builder = ReportBuilder(info, floors=FLOORS, beside=degenerate_models(), construction=construction)
    attempts, rows = await store.attempts.stream(info.id), await store.attempts.rows(info.id)
    graded = aiter(rows)
    async for attempt in attempts:
        builder.add(by_id[attempt.case_id], attempt, await anext(graded))
    return builder.build(now=datetime.now(UTC))
