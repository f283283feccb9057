"""Audits as tables: every rate with its counts and interval, every kappa beside agreement and prevalence."""

from collections.abc import Sequence

from plugineval.harness.audits.levels import LevelAgreement
from plugineval.harness.audits.opinions import Level
from plugineval.harness.audits.reference import ReferenceFindings, RejectedCase
from plugineval.harness.audits.sampling import Sample
from plugineval.harness.audits.verdicts import RejectedVerdict, VerdictFindings
from plugineval.harness.rendering.tables import (
    NOTHING,
    Table,
    data,
    interval,
    numbers,
    percent,
    percent_of,
    table_of,
    text,
)

MOST_ROWS = 50


def reference_tables(found: ReferenceFindings) -> tuple[Table, ...]:
    """Every table of a reference audit that has rows."""
    tables = (sample(found.sample), validity(found), agreement(found.agreement), _unanswered(found), rejected(found))
    return tuple(table for table in tables if table.rows)


def verdict_tables(found: VerdictFindings) -> tuple[Table, ...]:
    """Every table of a judge audit that has rows."""
    tables = (
        sample(found.sample),
        strata(found),
        against_grader(found),
        agreement((found.among,)),
        _unanswered(found),
        rejected_verdicts(found),
    )
    return tuple(table for table in tables if table.rows)


def sample(drawn: Sample) -> Table:
    """What was drawn."""
    rows = [
        (each.name.replace("_", " "), str(each.wanted), str(each.available), str(each.drawn)) for each in drawn.strata
    ]
    columns = (text("Stratum"), *numbers("Wanted", "There", "Drawn"))
    note = f"Seed {drawn.seed}." + (f" {drawn.note.capitalize()}." if drawn.note else "")
    return table_of("audit_sample", "Sample", columns, rows, note=note)


def validity(found: ReferenceFindings) -> Table:
    """Each reviewer: how valid the gold is."""
    rows = [
        (
            each.reviewer,
            percent_of(each.valid),
            interval(each.valid),
            *(percent_of(each.levels[level]) for level in Level),
            str(each.unsure),
            str(each.rejected),
            str(each.involved),
            percent_of(each.independent),
        )
        for each in found.reviewers
    ]
    levels = ("Need", "Target", "Args")
    columns = (
        data("Reviewer"),
        *numbers("Valid", "95 % CI", *levels, "Unsure", "Rejected", "Involved", "Valid, not involved"),
    )
    note = "Valid: yes to every level that was asked. Involved: had proposed or judged the gold of the case."
    return table_of("audit_validity", "Validity", columns, rows, note=note)


def agreement(levels: Sequence[LevelAgreement]) -> Table:
    """How far the reviewers agree, level by level."""
    rows = [
        (
            each.level,
            str(each.subjects),
            str(each.reviewers),
            _share(each.observed),
            NOTHING if each.kappa is None else f"{each.kappa:.3f}",
            NOTHING if each.prevalence is None else f"{_share(each.prevalence)} {each.commonest}",
            each.note,
        )
        for each in levels
    ]
    columns = (
        text("Question"),
        *numbers("Subjects", "Reviewers", "Observed", "Fleiss kappa", "Prevalence"),
        text("How to read it"),
    )
    left_out = sum(each.left_out for each in levels)
    note = f"Left out, as some reviewer gave no answer: {left_out}." if left_out else ""
    return table_of("audit_agreement", "Agreement", columns, rows, note=note)


def rejected(found: ReferenceFindings) -> Table:
    """The cases that somebody rejects."""
    columns = (data("Case"), text("Rejected by"), text("Levels"), data("Reasons"))
    return table_of(
        "audit_rejected",
        "Rejected cases",
        columns,
        [_rejected(case) for case in found.rejected[:MOST_ROWS]],
        note=_more(len(found.rejected)),
    )


def strata(found: VerdictFindings) -> Table:
    """How often each kind of verdict is confirmed."""
    rows = [
        (
            each.stratum.replace("_", " "),
            str(each.rows),
            percent_of(each.confirmed),
            interval(each.confirmed),
            ", ".join(f"{name} {percent(rate)}" for name, rate in each.by_reviewer.items()),
            str(each.unsure),
            ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in each.instead.items()) or NOTHING,
        )
        for each in found.strata
        if each.rows
    ]
    columns = (
        text("Verdict"),
        *numbers("Rows", "Confirmed", "95 % CI"),
        data("By reviewer"),
        *numbers("Unsure"),
        text("Instead"),
    )
    note = "Over all reviews of the rows; the interval takes each row once."
    return table_of("audit_strata", "Confirmed verdicts", columns, rows, note=note)


def against_grader(found: VerdictFindings) -> Table:
    """Each reviewer beside the grader."""
    rows = [
        (
            each.reviewer,
            str(each.reviewed),
            str(each.unsure),
            percent_of(each.agreement),
            interval(each.agreement),
            NOTHING if each.kappa is None else f"{each.kappa:.4f}",
            str(each.involved),
        )
        for each in found.reviewers
    ]
    columns = (
        data("Reviewer"),
        *numbers("Reviewed", "Unsure", "Agrees", "95 % CI", "Cohen kappa", "Involved"),
    )
    note = "Over the rows that the reviewer is sure of, and the four verdicts."
    return table_of("audit_reviewers", "Reviewers and grader", columns, rows, note=note)


def rejected_verdicts(found: VerdictFindings) -> Table:
    """The rows whose verdict somebody rejects."""
    columns = (data("Row"), data("Case"), text("Verdict"), text("Rejected by"), text("Instead"), data("Reasons"))
    return table_of(
        "audit_rejected",
        "Rejected verdicts",
        columns,
        [_rejected_row(row) for row in found.rejected[:MOST_ROWS]],
        note=_more(len(found.rejected)),
    )


def _rejected(case: RejectedCase) -> tuple[str, ...]:
    levels = dict.fromkeys(level for each in case.rejections for level in each.levels)
    reasons = "; ".join(f"{each.reviewer}: {each.reason}" for each in case.rejections)
    return case.case, f"{len(case.rejections)} of {case.reviewers}", ", ".join(levels), reasons


def _rejected_row(row: RejectedVerdict) -> tuple[str, ...]:
    instead = ", ".join(dict.fromkeys(name.replace("_", " ") for name in row.instead.values()))
    reasons = "; ".join(f"{who}: {why}" for who, why in row.reasons.items())
    rejected = f"{len(row.instead)} of {row.reviewers}"
    return row.row, row.case, row.verdict.value.replace("_", " "), rejected, instead, reasons


def _unanswered(found: ReferenceFindings | VerdictFindings) -> Table:
    rows = [(each.subject, each.reviewer, each.reason) for each in found.unanswered[:MOST_ROWS]]
    columns = (data("About"), data("Reviewer"), data("Why"))
    return table_of("audit_unanswered", "Reviews that are missing", columns, rows, note=_more(len(found.unanswered)))


def _share(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"


def _more(number: int) -> str:
    return f"And {number - MOST_ROWS} more; --json has all of them." if number > MOST_ROWS else ""
