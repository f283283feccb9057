"""The report of one grading of a run, made from its stored rows: no model and no judge is called."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from anyio import to_thread

from plugineval.harness.cases import Case
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.gradings import Grading
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.run import RunInfo
from plugineval.harness.variants import with_variants
from plugineval.server.jobs.facts import construction_of
from plugineval.server.jobs.judging import judge_was_out
from plugineval.server.settings.roles import BASELINE

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

FLOORS = {BASELINE: "matches words and schemas; deterministic, no language model"}


async def keep_report(store: "Store", info: RunInfo, cases: Sequence[Case], grading: Grading) -> Report:
    """Make the report, with the degenerate models graded beside the others (X8), and keep it with its grading.

    `cases` are those of the published descriptions, with the gold that the grading went by.
    """
    asked = _Asked(with_variants(cases, info.config.variants))
    construction = await construction_of(store, info.id)
    builder = ReportBuilder(info, floors=FLOORS, beside=degenerate_models(), construction=construction)
    outages = 0
    async for facts in await store.attempts.facts(info.id, grading.id):
        builder.count(facts, asked.case)
        outages += facts.row is not None and judge_was_out(facts.row)
    for attempt, row in await store.attempts.chosen(info.id, grading.id, builder.wanted()):
        builder.show(asked.case(row.case_id, row.variant), attempt, row)
    kept = grading.model_copy(update={"judge_outages": outages})
    # Half a second of statistics, in which a server that serves others would answer nobody.
    built = await to_thread.run_sync(partial(builder.build, now=datetime.now(UTC)))
    report = built.model_copy(update={"grading": kept})
    await store.gradings.save(info.id, kept)
    await store.reports.save(info.id, report, grading=grading.id)
    return report


class _Asked:
    """The cases of a run by id and variant, each made when it is looked at."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self._cases = cases
        self._places = {(case.id, case.variant): place for place, case in enumerate(cases)}

    def case(self, case_id: str, variant: str) -> Case:
        return self._cases[self._places[case_id, variant]]
