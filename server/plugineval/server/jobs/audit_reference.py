"""The reference audit as a job: a seeded sample of a benchmark's cases, reviewed one by one (P60)."""

import time
from typing import TYPE_CHECKING

from plugineval.harness.audits.prompted import prompt_hash
from plugineval.harness.audits.questions import CaseQuestion, case_question, involved_in
from plugineval.harness.audits.reference import ReferenceFindings, reference_findings
from plugineval.harness.audits.sampling import Sample, with_prior
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.examples import Benchmark, SampleType
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Json
from plugineval.server.jobs.audit_outcome import ReferenceAuditOutcome
from plugineval.server.jobs.audit_params import CASES, AuditWishes, ReferenceAuditParams
from plugineval.server.jobs.audit_reviews import CASE_FIELDS, Questions, collect, seats_of
from plugineval.server.jobs.context import JobContext
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


async def plan_reference_audit(workspace: Workspace, named: str, wishes: AuditWishes) -> ReferenceAuditParams:
    """An audit, ready to be started; a benchmark without cases and reviewers that cannot be used are refused."""
    benchmark = await (await workspace.store()).benchmarks.get(named)
    if not benchmark.examples:
        raise ConfigurationError(
            f"benchmark {benchmark.id} holds no examples", field="benchmark", next_step="build it, or resume its job"
        )
    seats = seats_of(workspace, wishes, CASE_FIELDS)
    return ReferenceAuditParams(**dict(seats), benchmark_id=benchmark.id, cases=wishes.sample or CASES)


async def run_reference_audit(context: JobContext) -> Json:
    """Ask every reviewer about every sampled case; the result is what `plugineval audit reference --json` prints."""
    params, started = ReferenceAuditParams.model_validate(context.params), time.monotonic()
    benchmark = await context.store.benchmarks.get(params.benchmark_id)
    sample = sample_of(benchmark, params)
    records = await _records(context.store, benchmark, sample)
    questions = _questions(benchmark, records)
    involved = {case: involved_in(record) for case, record in records.items()}
    reviews = await collect(context, params, questions, involved)
    found = reference_findings(sample, questions, reviews.given, reviews.missing, raters=params.raters)
    step = _next_step(benchmark, found)
    facts = reviews.facts(context, params, prompt_hash(CaseQuestion), started=started, next_step=step)
    outcome = ReferenceAuditOutcome(
        **dict(found),
        **dict(facts),
        benchmark_id=benchmark.id,
        name=benchmark.name,
        content_hash=benchmark.content_hash,
    )
    return outcome.model_dump(mode="json")


def sample_of(benchmark: Benchmark, params: ReferenceAuditParams) -> Sample:
    """The cases that are audited; the same for the same seed."""
    positives = [each.id for each in benchmark.examples if each.sample_type is SampleType.POSITIVE]
    negatives = [each.id for each in benchmark.examples if each.sample_type is not SampleType.POSITIVE]
    return with_prior({"positives": positives, "negatives": negatives}, params.cases, params.seed)


async def sampled_questions(store: "Store", params: ReferenceAuditParams) -> Questions:
    """What the reviewers of an audit are shown, for a sheet that people fill in."""
    benchmark = await store.benchmarks.get(params.benchmark_id)
    return _questions(benchmark, await _records(store, benchmark, sample_of(benchmark, params)))


def _questions(benchmark: Benchmark, records: dict[str, VerificationRecord | None]) -> dict[str, CaseQuestion]:
    examples = {example.id: example for example in benchmark.examples}
    return {case: case_question(examples[case], benchmark, record) for case, record in records.items()}


async def _records(store: "Store", benchmark: Benchmark, sample: Sample) -> dict[str, VerificationRecord | None]:
    """Case -> its evidence; None for a case that came without any."""
    ids = {example.id: example.record_id for example in benchmark.examples}
    found: dict[str, VerificationRecord | None] = {}
    for case in sample.ids:
        try:
            found[case] = await store.records.get(ids[case], benchmark_id=benchmark.id)
        except UnknownNameError:
            found[case] = None
    return found


def _next_step(benchmark: Benchmark, found: ReferenceFindings) -> str:
    if not found.rejected:
        return ""
    line = f'{{"case": "{found.rejected[0].case}", "reason": "...", "gold": [...]}}'
    step = f'for each case that is wrong write a line like {line}, or "remove": true in place of gold'
    return f"{step}; then run `plugineval revise {benchmark.id} --file FILE`"
