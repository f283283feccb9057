"""The parts of a report that are not tables of models: its first line, and where its numbers come from."""

from collections.abc import Iterable
from datetime import datetime

from plugineval.harness.expiry import Expiry, ExpiryKind
from plugineval.harness.gradings import NO_JUDGE, Grading
from plugineval.harness.judging.stats import JudgeStats
from plugineval.harness.rendering.tables import Table, data, table_of, text
from plugineval.harness.report import Report
from plugineval.harness.run import Scope


def first_line(report: Report, now: datetime | None, expiry: Expiry | None = None) -> str:
    """Scope, date and expiry; whether it has expired, by date or by `expiry`, is said before anything else."""
    scope = report.run.scope
    measured = report.run.finished_at or report.run.started_at
    line = f"Scope: {scope_text(scope)}. Measured {measured:%Y-%m-%d}, expires {report.expires_at:%Y-%m-%d}."
    old = now is not None and report.expired(now)
    on = f" on {report.expires_at:%Y-%m-%d}" if old else ""
    reasons = () if expiry is None else expiry.reasons
    others = [reason for reason in reasons if not (old and reason.kind is ExpiryKind.DATE_PASSED)]
    if not on and not others:
        return line
    found = "; ".join(f"{reason.kind.value.replace('_', ' ')}: {reason.what}" for reason in others[:3])
    more = f"; and {len(others) - 3} more" if len(others) > 3 else ""
    why = f" ({found}{more})" if others else ""
    return f"EXPIRED{on}{why}: measure again before quoting a number. {line}"


def scope_text(scope: Scope) -> str:
    """The scope in one line."""
    plugins = ", ".join(scope.plugins) or "a cases file"
    if scope.refused:
        plugins += f" ({scope.refused} of {scope.cases + scope.refused} lines refused)"
    negatives = ", ".join(f"{number} {kind}" for kind, number in scope.negatives.items()) or "none"
    return (
        f"{scope.benchmark} ({scope.benchmark_hash[:12]}) on {plugins}; {_counted(scope.tools, 'tool')}, schema depth "
        f"{scope.schema_depth}, {_counted(scope.optional_fields, 'optional argument')}; "
        f"{_counted(scope.cases, 'case')}: {scope.positives} positive, negatives: {negatives}; {scope.traffic} traffic"
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def provenance(report: Report) -> Table:
    """Where the numbers come from: run, policies, prompts, roles."""
    run, config = report.run, report.run.config
    rows = [
        ("Run", run.id),
        ("Started, finished", f"{_stamp(run.started_at)}, {_stamp(run.finished_at)}"),
        ("Repeats", str(config.repeats)),
        ("Extra calls", f"{config.extra_calls} (policy of the six outcomes; always counted)"),
        ("Tools shown", _hashes(run.scope.toolset_hashes)),
        *((f"Prompt of {model.id}", model.prompt_hash[:12]) for model in report.models if model.prompt_hash),
        ("Common rows", f"{report.comparison.rows} in comparisons, {report.comparison.dropped} left out"),
        *((f"Answered as {model.id}", ", ".join(model.served_by)) for model in report.models if model.served_by),
        *((f"Role: {role}", model) for role, model in run.scope.roles.items()),
        *construction(report),
        *graded_by(report.grading),
        *(("Note", note) for note in run.notes),
    ]
    return table_of("provenance", "Where the numbers come from", (text("What"), data("Value")), rows)


def graded_by(grading: Grading | None) -> Iterable[tuple[str, str]]:
    """Who graded: the judge with its prompt, its day, its numbers and what came of asking it, and a person's checks."""
    if grading is None:
        return
    yield ("Grading", f"{grading.id}, {grading.at:%Y-%m-%d %H:%M}; meaning: {grading.policy.meaning}")
    if grading.judge == NO_JUDGE:
        yield ("Judge", "none")
    else:
        yield ("Judge", f"{grading.judge}, prompt {grading.version[:12]}")
    if grading.judge_config is not None:
        asked = ", ".join(f"{name} {value}" for name, value in grading.judge_config.model_dump().items())
        yield ("Asked with", asked)
    if grading.judge_stats is not None:
        yield ("Judge's answers", _judge_counts(grading.judge_stats))
    if grading.judge_outages:
        yield ("Judge did not answer", f"{grading.judge_outages} rows; resume the run to ask again")
    yield from ((f"Check of {tool}", source) for tool, source in grading.checks.items())


def _judge_counts(stats: JudgeStats) -> str:
    failures = ", ".join(f"{number} {kind.value}" for kind, number in stats.failures.items()) or "none"
    said = f"{stats.equal} equal, {stats.different} different, failures: {failures}; {stats.asked} questions asked"
    if stats.disagreement_rate is None:
        return said
    return f"{said}; orders disagreed on {100 * stats.disagreement_rate:.1f} % of {stats.double_judged}"


def construction(report: Report) -> Iterable[tuple[str, str]]:
    """How the benchmark was built, as far as it is known."""
    facts = report.construction
    if facts is None:
        return
    yield from ((f"Built by: {role}", model) for role, model in facts.roles.items())
    yield from ((f"Built with: {name}", str(value)) for name, value in facts.parameters.items())
    for name in ("accepted", "surplus", "rejected", "undecided"):
        number: int | None = getattr(facts, name)
        if number is not None:
            yield (f"Candidates {name}", str(number))
    if facts.stop_reason:
        yield ("Stopped because", facts.stop_reason)
    yield from (("Bias warning", warning) for warning in facts.bias_warnings)


def _stamp(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else "not finished"


def _hashes(hashes: tuple[str, ...]) -> str:
    shown = ", ".join(found[:12] for found in hashes[:3])
    return f"{shown} and {len(hashes) - 3} more sets" if len(hashes) > 3 else shown
