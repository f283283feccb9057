"""A job as a client is told of it: how far it is, or what came of it in short, and which call comes next."""

from collections.abc import Callable, Iterator

from mcp_types import CallToolResult

from plugineval.harness.rendering.neutral import prose
from plugineval.pccf.values import Json
from plugineval.server.app.answers import URI, JobCard, answer
from plugineval.server.app.shortening import cut, shortened
from plugineval.server.jobs.limiting import ended_by_limit
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.work.told import waits_for_work

_LINE = 400
"""Characters of one fact in a text."""


def card_of(job: Job, *, whole: bool = False) -> JobCard:
    """What a client is told about a job; its result in short, unless the `whole` is wanted."""
    return JobCard(
        job_id=job.id,
        kind=job.kind,
        state=job.state,
        done=job.done,
        total=job.total,
        message=job.message,
        error=job.error,
        result=job.result if whole else shortened(_gist(job)),
        resource=f"{URI}jobs/{job.id}",
        next_step=_next_step(job),
    )


def card_answer(job: Job) -> CallToolResult:
    """The card as a tool's answer."""
    card = card_of(job)
    return answer(card, _text(job, card), *_links(card))


def nothing_left_of(job: Job) -> bool:
    """Whether resuming it would do nothing."""
    from plugineval.server.jobs.evaluation_outcome import nothing_left

    return nothing_left(job)


def _gist(job: Job) -> Json:
    """A result without what has a page of its own."""
    result = job.result
    if job.kind == "scenarios" and isinstance(result, dict):
        from plugineval.server.catalogs.writing import DerivedCatalog

        derived = DerivedCatalog.model_validate(result)
        kinds = [scenario.kind.value for scenario in derived.catalog.scenarios]
        return {
            "scenarios": {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)},
            "writer": derived.writer,
            "refused": len(derived.catalog.refused),
            "skipped_tools": {each.tool: each.reason for each in derived.catalog.skipped},
        }
    if job.kind == "ablate" and isinstance(result, dict):
        return {name: value for name, value in result.items() if name != "golds"}
    return result


def _next_step(job: Job) -> str:
    if job.state is JobState.RUNNING and job.cancel_requested:
        return "it is being stopped; call job_get with this job_id to see that it has"
    if waits_for_work(job):
        return "call work_next with this job_id and answer the items, then job_get again; it is done when they are"
    if job.state is JobState.INTERRUPTED and job.error:
        return _NEXT[JobState.FAILED]
    if job.state is JobState.COMPLETED and not nothing_left_of(job):
        if ended_by_limit(job):
            return _RAISE
        return _UNANSWERED.get(job.kind, "call job_resume with this job_id to ask again for what is left")
    worthless = job.kind == "build" and isinstance(job.result, dict) and job.result.get("positives") == 0
    after = _AFTER.get((job.kind, job.state)) or _NEXT[job.state]
    if job.engine == "workers" and job.state is JobState.QUEUED:
        after = _ON_QUEUE
    return _RAISE if ended_by_limit(job) else _WORTHLESS if worthless else after


def _text(job: Job, card: JobCard) -> str:
    head = f"{card.kind} {card.state.value}, {card.done}/{card.total or '?'}: {card.message}"
    # An error says first what has to be mended.
    lead = "Then" if "Next: " in (card.error or "") else "Next"
    lines = [
        head,
        *([card.error] if card.error else []),
        *(cut(line, _LINE) for line in _facts(job)),
        f"job_id: {card.job_id}",
        f"{lead}: {card.next_step}.",
    ]
    return "\n".join(lines)


def _facts(job: Job) -> Iterator[str]:
    if not isinstance(job.result, dict):
        return
    gist = _gist(job)
    assert isinstance(gist, dict)
    shown = _HEADLINES.get(job.kind, tuple(gist))
    yield from (f"{name}: {_words(gist[name])}" for name in shown if gist.get(name) not in (None, "", {}, []))
    yield from _MORE.get(job.kind, _nothing)(job.result)


def _nothing(result: Json) -> Iterator[str]:
    yield from ()


def _why_not(result: Json) -> Iterator[str]:
    """Why candidates are not in a benchmark that was built, and what it means where none is."""
    from plugineval.server.jobs.outcomes import NO_POSITIVES, BuildOutcome
    from plugineval.server.jobs.reasons import told

    built = BuildOutcome.model_validate(result)
    reasons = [f"- {prose(sentence)}" for sentence in told(built.reasons)]
    yield from ["Why candidates were not accepted:", *reasons] if reasons else []
    yield from [f"WARNING: {NO_POSITIVES}."] if built.positives == 0 else []


def _ablated(result: Json) -> Iterator[str]:
    from plugineval.harness.rendering.ablation_tables import ablation_notes, ablation_sentences
    from plugineval.server.jobs.ablate_outcome import AblationOutcome

    outcome = AblationOutcome.model_validate(result)
    yield from (prose(sentence) for sentence in (*ablation_sentences(outcome), *ablation_notes(outcome)))


def _measured(result: Json) -> Iterator[str]:
    from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome

    outcome = EvaluationOutcome.model_validate(result)
    yield from [] if outcome.drift is None else [f"drift: {prose(outcome.drift.told)}"]
    yield from (f"workers: {prose(sentence)}" for sentence in outcome.troubles.told)


def _words(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(each)}" for name, each in value.items() if each != 0) or "none"
    if isinstance(value, list):
        return "; ".join(map(_words, value))
    return str(value)


def _links(card: JobCard) -> tuple[str, ...]:
    result = card.result if isinstance(card.result, dict) else {}
    report = "grading_id" if result.get("grading_id") else "run_id"
    made = [
        f"{URI}{kind}/{result[name]}"
        for kind, name in (("benchmarks", "benchmark_id"), ("reports", report))
        if result.get(name)
    ]
    return (card.resource, *made)


_NEXT = {
    JobState.QUEUED: "call job_resume with this job_id to start it",
    JobState.RUNNING: "call job_get with this job_id until the state is completed",
    JobState.INTERRUPTED: "call job_resume with this job_id; answered calls are not repeated",
    JobState.COMPLETED: "read the result",
    JobState.FAILED: "mend what the error names, then call job_resume with this job_id",
    JobState.CANCELLED: "start again when it is wanted",
}
_ON_QUEUE = "a worker takes it as soon as one is there; call job_get with this job_id until the state is completed"
_WORTHLESS = "tell the user; result.reasons and result.skipped_tools say what to mend before it is built again"
_RAISE = (
    "tell the user which limit ended it; call job_resume with this job_id and a higher max_calls, max_tokens, max_cost "
    "or max_minutes to go on from here: what was spent counts"
)
_UNANSWERED = {
    "evaluate": "call job_resume with this job_id to ask the unanswered rows again, or report_get with result.run_id"
}
_AFTER = {
    ("build", JobState.COMPLETED): "call evaluation_run with result.benchmark_id, or benchmark_get for what it covers",
    ("evaluate", JobState.COMPLETED): "call report_get with result.run_id",
    ("regrade", JobState.COMPLETED): "call report_get with result.grading_id as run_id",
    ("revise", JobState.COMPLETED): "call judge_run with gold_of=result.benchmark_id to count stored answers again",
    ("recalibrate", JobState.COMPLETED): "call benchmark_get with result.benchmark_id, or evaluation_run on it",
    ("scenarios", JobState.COMPLETED): "call benchmark_scenarios with this job_id to read them, then benchmark_build "
    "with scenarios_job",
    ("verify", JobState.COMPLETED): "case_revise mends gold that drifted; a benchmark without drift can be measured on",
}
_MORE: dict[str, Callable[[Json], Iterator[str]]] = {
    "build": _why_not,
    "ablate": _ablated,
    "evaluate": _measured,
}
_VERSION = ("benchmark_id", "name", "version", "examples", "executed")
_HEADLINES: dict[str, tuple[str, ...]] = {
    "build": (
        *("benchmark_id", "stopped", "accepted", "surplus", "rejected", "positives", "negatives", "difficulties"),
        *("warnings", "skipped_tools"),
    ),
    "evaluate": ("run_id", "verdict", "rows", "errors"),
    "regrade": ("run_id", "grading_id", "verdict", "rows"),
    "revise": _VERSION,
    "recalibrate": _VERSION,
    "verify": (
        *("benchmark_id", "cases", "reexecuted", "same", "moved", "uncompared", "drifted", "failed", "not_executed"),
        "details",
    ),
    "ablate": ("limit", "not_run", "warnings"),
}
