"""The judge audit as a job: a stratified sample of a run's graded rows, their verdicts confirmed or rejected (P61).

Equal answers to one case got one verdict; one of them stands for all, so that nobody reviews the same thing twice.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from plugineval.harness.audits.opinions import RowClass
from plugineval.harness.audits.prompted import prompt_hash
from plugineval.harness.audits.questions import AskedRow, RowQuestion, class_of, row_question
from plugineval.harness.audits.sampling import Sample, stratified
from plugineval.harness.audits.verdicts import STRATA, verdict_findings
from plugineval.harness.cases import Case
from plugineval.harness.gradings import FIRST, NO_JUDGE
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.variants import with_variants
from plugineval.pccf.coverage.budgets import largest_remainder
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import SampleType
from plugineval.pccf.values import Json, content_hash
from plugineval.server.jobs.audit_outcome import JudgeAuditOutcome
from plugineval.server.jobs.audit_params import AuditWishes, JudgeAuditParams
from plugineval.server.jobs.audit_reviews import ROW_FIELDS, Questions, collect, seats_of
from plugineval.server.jobs.context import JobContext
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.harness.attempts import Attempt
    from plugineval.server.store.store import Store


async def plan_judge_audit(
    workspace: Workspace, run_id: str, wishes: AuditWishes, *, grading: str = FIRST
) -> JudgeAuditParams:
    """An audit, ready to be started; a run without verdicts and reviewers that cannot be used are refused."""
    store = await workspace.store()
    run = await store.runs.entry(run_id)
    kept = await store.gradings.get(run.id, grading)
    counted = await store.attempts.outcomes(run.id, kept.id)
    if not any(count.confusion is not None for count in counted):
        step = "resume its job, or name another run"
        raise ConfigurationError(f"run {run.id} has no verdict to audit", field="run", next_step=step)
    seats = seats_of(workspace, wishes, ROW_FIELDS)
    return JudgeAuditParams(**dict(seats), of_run=run.id, grading=kept.id, strata=strata_of(wishes.sample))


def strata_of(rows: int | None) -> dict[str, int]:
    """The paper's sample; `rows` keeps its shares and changes its size."""
    wanted = {stratum.value: size for stratum, size in STRATA.items()}
    if rows is None:
        return wanted
    total = sum(wanted.values())
    return dict(zip(wanted, largest_remainder(rows, [size / total for size in wanted.values()]), strict=True))


async def run_judge_audit(context: JobContext) -> Json:
    """Ask every reviewer about every sampled row; the result is what `plugineval audit judge --json` prints."""
    params, started = JudgeAuditParams.model_validate(context.params), time.monotonic()
    store = context.store
    run, grading = await store.runs.get(params.of_run), await store.gradings.get(params.of_run, params.grading)
    drawn = await _draw(store, params)
    involved = {row: _involved(drawn.models[row], drawn.judges[row]) for row in drawn.sample.ids}
    reviews = await collect(context, params, drawn.questions, involved)
    found = verdict_findings(drawn.sample, drawn.questions, reviews.given, reviews.missing, raters=params.raters)
    step = _next_step(run.id, found.most_rejected)
    facts = reviews.facts(context, params, prompt_hash(RowQuestion), started=started, next_step=step)
    outcome = JudgeAuditOutcome(
        **dict(found),
        **dict(facts),
        run_id=run.id,
        grading=grading.id,
        benchmark=run.scope.benchmark,
        judge=grading.judge if grading.judge != NO_JUDGE else "rules alone",
        rows=drawn.rows,
        left_out=dict(sorted(drawn.left_out.items())),
    )
    return outcome.model_dump(mode="json")


async def sampled_rows(store: "Store", params: JudgeAuditParams) -> Questions:
    """What the reviewers of an audit are shown, for a sheet that people fill in."""
    return (await _draw(store, params)).questions


class _Drawn(NamedTuple):
    sample: Sample
    questions: dict[str, RowQuestion]
    models: dict[str, dict[str, None]]
    """Row -> who gave this answer: ids, and the names of agents."""
    judges: dict[str, dict[str, None]]
    rows: int
    left_out: Counter[str]


async def _draw(store: "Store", params: JudgeAuditParams) -> _Drawn:
    """Two passes over the rows: what there is, and then what was drawn of it; memory stays flat."""
    strata: dict[str, dict[str, None]] = {stratum.value: {} for stratum in RowClass}
    left_out: Counter[str] = Counter()
    rows = 0
    async for attempt, row in await store.attempts.graded(params.of_run, params.grading):
        found = class_of(row)
        if found is None:
            left_out[row.exclusion.value if row.exclusion else "judge_failure"] += 1
            continue
        rows += 1
        strata[found.value][_row_id(attempt, found)] = None
    sample = stratified(strata, params.strata, params.seed)
    drawn = _Drawn(sample, {}, {}, {}, rows, left_out)
    cases = await _cases(store, params.of_run)
    wanted = frozenset(sample.ids)
    async for attempt, row in await store.attempts.graded(params.of_run, params.grading):
        found = class_of(row)
        if found is not None and (row_id := _row_id(attempt, found)) in wanted:
            _keep(drawn, row_id, cases[row.case_id, row.variant], (attempt, row))
    # In the order of the sample, whatever order the rows came in.
    return drawn._replace(questions={row_id: drawn.questions[row_id] for row_id in sample.ids})


def _keep(drawn: _Drawn, row_id: str, case: Case, pair: "tuple[Attempt, GradedRow]") -> None:
    attempt, row = pair
    raw = attempt.reply.raw
    agent = raw.get("answered_by") if isinstance(raw, dict) else None
    drawn.models.setdefault(row_id, {}).update(dict.fromkeys([row.model, *([str(agent)] if agent else [])]))
    drawn.judges.setdefault(row_id, {}).update(dict.fromkeys(judged.settlement.judge for judged in row.judged))
    if row_id in drawn.questions:
        return
    forbidden = case.target_tool if case.sample_type is SampleType.TARGETED_NEGATIVE else None
    asked = AskedRow(
        query=case.query,
        toolset=case.toolset,
        gold=case.gold,
        forbidden=forbidden or "",
        calls=attempt.reply.calls,
    )
    drawn.questions[row_id] = row_question(row_id, row, asked)


async def _cases(store: "Store", run_id: str) -> Mapping[tuple[str, str], Case]:
    config = (await store.runs.get(run_id)).config
    cases = [case async for case in await store.runs.cases(run_id)]
    return {(case.id, case.variant): case for case in with_variants(cases, config.variants)}


def _row_id(attempt: "Attempt", found: RowClass) -> str:
    """Of an answer: equal calls to one case with one verdict are one row."""
    calls = [[c.name, c.raw_arguments if c.arguments is None else c.arguments] for c in attempt.reply.calls]
    return f"row-{content_hash([attempt.case_id, attempt.variant, calls, found.value])[:16]}"


def _involved(models: Iterable[str], judges: Iterable[str]) -> dict[str, str]:
    return dict.fromkeys(judges, "judge") | dict.fromkeys(models, "model under test")


def _next_step(run_id: str, most_rejected: int) -> str:
    if not most_rejected:
        return ""
    step = "read the rejected verdicts, and grade again with another judge or a check of your own"
    return f"{step}: `plugineval regrade {run_id} --judge MODEL`"
