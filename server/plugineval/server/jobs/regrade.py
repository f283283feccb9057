"""Grade the stored attempts of a run again, by another judge, policy, check or gold: no model under test is called.

The new rows lie beside those of the run's other gradings, and the new report beside theirs (X9).
"""

import time
from collections.abc import AsyncIterable, AsyncIterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.gradings import FIRST, Grading
from plugineval.harness.judging.agreement import JudgeAgreement, compare_judges
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.questions import Settlement
from plugineval.harness.regrading import SideBySide
from plugineval.harness.report import Report
from plugineval.harness.run import RunInfo
from plugineval.harness.scope import gold_hash
from plugineval.harness.settling import Settling
from plugineval.harness.variants import with_variants
from plugineval.pccf.calling import in_order
from plugineval.pccf.ledger import Unjournaled
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.evaluate_report import keep_report
from plugineval.server.jobs.judging import Graders, bias_notes, grading_params, open_graders, policy_for
from plugineval.server.jobs.params import GradingWishes, RegradeParams
from plugineval.server.jobs.preflight import preflight_judge
from plugineval.server.jobs.regrade_gold import GoldRevision, gold_file, revised, revised_by
from plugineval.server.jobs.regrade_outcome import RegradeOutcome
from plugineval.server.jobs.self_judging import SelfJudging
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.attempts import GradedAttempt
    from plugineval.server.store.store import Store

BATCH = 50
"""Attempts in memory at once, and so about the questions that a judge may be asked at the same time."""


class RegradeWishes(Value):
    """What was said about a regrading."""

    grading: GradingWishes = GradingWishes()
    gold: Path | None = None
    gold_of: str | None = None
    """A benchmark; its gold counts."""
    against: str = FIRST
    base_url: str | None = None
    preflight: bool = True


async def plan_regrade(workspace: Workspace, run_id: str, wishes: RegradeWishes) -> RegradeParams:
    """A regrading, ready to be started; a judge, a check or a gold file that cannot be used is refused."""
    from plugineval.clients.models.access import refuse_typed_secrets
    from plugineval.server.store.ids import new_id

    refuse_typed_secrets(wishes.base_url)
    settings, store = workspace.settings, await workspace.store()
    info = await store.runs.get(run_id)
    await store.gradings.get(info.id, wishes.against)
    helpers = grading_params(settings, wishes.grading)
    params = RegradeParams(
        of_run=info.id,
        grading_id=new_id("grading"),
        at=datetime.now(UTC),
        grading=helpers,
        policy=policy_for(settings, helpers.judge, wishes.grading.extra_calls or info.config.extra_calls),
        gold=None if wishes.gold is None else gold_file(wishes.gold),
        gold_of=None if wishes.gold_of is None else (await store.benchmarks.get(wishes.gold_of)).id,
        against=wishes.against,
        base_url=wishes.base_url,
        preflight=wishes.preflight,
        recordings=settings.recordings((helpers.judge,)),
    )
    revision = await _revision(store, params)
    async with open_graders(workspace, params.grading, base_url=params.base_url, ledger=Unjournaled()) as graders:
        await store.gradings.save(info.id, graders.on(_record(params, revision)))
    return params


async def run_regrade(context: JobContext) -> Json:
    """Grade, report and compare; the result is what `plugineval regrade --json` prints."""
    params, store, started = RegradeParams.model_validate(context.params), context.store, time.monotonic()
    context = context.with_recorded(params.recordings)
    workspace, run_id = context.workspace, params.of_run
    if params.preflight:
        await preflight_judge(context, params.grading.judge, base_url=params.base_url)
    revision = await _revision(store, params)
    record = _record(params, revision)
    info = _regraded(await store.runs.get(run_id), record)
    work = context.work.queue(apart=info.config.self_judged == "refuse")
    opened = open_graders(workspace, params.grading, base_url=params.base_url, ledger=context.journal, work=work)
    async with opened as graders:
        await store.gradings.save(run_id, graders.on(record))
        marking = await SelfJudging.of_run(context, run_id, info.config, revision.cases)
        await _grade(context, with_variants(revision.cases, info.config.variants), graders, record, marking)
    report = await keep_report(store, info, revision.cases, graders.on(record))
    outcome = await _outcome(context, params, report, started)
    await workspace.announce(outcome.report_uri)
    return outcome.model_dump(mode="json")


async def _revision(store: "Store", params: RegradeParams) -> GoldRevision:
    cases = [case async for case in await store.runs.cases(params.of_run)]
    if params.gold_of is not None:
        return revised_by(cases, await store.benchmarks.get(params.gold_of))
    return revised(cases, params.gold)


def _record(params: RegradeParams, revision: GoldRevision) -> Grading:
    return Grading(
        id=params.grading_id,
        judge=params.grading.judge,
        at=params.at,
        gold_hash=gold_hash(revision.cases),
        policy=params.policy,
        note=revision.note,
    )


def _regraded(info: RunInfo, record: Grading) -> RunInfo:
    """The run as the new report tells it: what was measured stays, what is counted as right may not."""
    notes = [f"Grading {record.id}, beside the run's own", *bias_notes(record.judge, info.config.models)]
    notes += [f"Revised: {record.note}"] if record.note else []
    return info.model_copy(
        update={
            "config": info.config.model_copy(update=dict(record.policy)),
            "scope": info.scope.model_copy(update={"gold_hash": record.gold_hash}),
            "notes": (*info.notes, *(note for note in notes if note not in info.notes)),
        }
    )


async def _grade(
    context: JobContext, cases: Sequence[Case], graders: Graders, record: Grading, marking: SelfJudging | None
) -> None:
    run_id = RegradeParams.model_validate(context.params).of_run
    store, done = context.store, 0
    total = sum(count.rows for count in await store.attempts.outcomes(run_id))
    named = {(case.id, case.variant): case for case in cases}
    settling = Settling(graders.judge, policy=record.policy, checks=graders.checks)

    async def graded(attempt: Attempt, old: GradedRow) -> GradedRow:
        row = await settling.grade(named[old.case_id, old.variant], attempt)
        return row if marking is None else await marking.marked(attempt, row)

    async for batch in _batches(await store.attempts.graded(run_id)):
        rows = await in_order([partial(graded, attempt, old) for attempt, old in batch])
        await store.attempts.grade_again(run_id, record.id, rows)
        done += len(batch)
        context.progress(done, total, "rows")


async def _batches(found: "AsyncIterable[GradedAttempt]") -> "AsyncIterator[list[GradedAttempt]]":
    batch: list[GradedAttempt] = []
    async for each in found:
        batch.append(each)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


async def _outcome(context: JobContext, params: RegradeParams, report: Report, started: float) -> RegradeOutcome:
    store, run_id = context.store, params.of_run
    old, new = [await store.gradings.get(run_id, name) for name in (params.against, params.grading_id)]
    table, judges = SideBySide(old, new), _Judges()
    async for earlier, later in await store.attempts.side_by_side(run_id, old.id, new.id):
        table.add(earlier, later)
        judges.add(earlier, later)
    found = table.result()
    return RegradeOutcome(
        run_id=run_id,
        grading_id=new.id,
        report_uri=f"plugineval://reports/{new.id}",
        verdict=report.verdict.sentence,
        rows=found.rows,
        against=old,
        grading=new,
        side_by_side=found,
        judges=judges.agreement(),
        calls=context.journal.made.total(),
        calls_replayed=context.journal.replayed.total(),
        seconds=round(time.monotonic() - started, 3),
    )


class _Judges:
    """What the judges of both gradings said, by question."""

    def __init__(self) -> None:
        self._old: dict[str, Settlement] = {}
        self._new: dict[str, Settlement] = {}

    def add(self, old: GradedRow, new: GradedRow) -> None:
        for said, row in ((self._old, old), (self._new, new)):
            said |= {judged.question.key: judged.settlement for judged in row.judged}

    def agreement(self) -> JudgeAgreement | None:
        return compare_judges(self._old, self._new) if self._old and self._new else None
