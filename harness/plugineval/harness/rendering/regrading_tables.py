"""Two gradings of one run as tables: how far they agree, which rows flipped, and what both judges said (X9)."""

from collections.abc import Iterable

from plugineval.harness.gradings import Grading
from plugineval.harness.judging.agreement import JudgeAgreement
from plugineval.harness.regrading import Regrading
from plugineval.harness.rendering.tables import NOTHING, Table, data, numbers, percent_of, table_of, text

_VERDICTS = ("equal", "different", "failure")


def regrading_tables(found: Regrading, judges: JudgeAgreement | None = None) -> tuple[Table, ...]:
    """Every table that has rows, in reading order."""
    tables = (
        graders((found.old, found.new)),
        models(found),
        crossings(found),
        flips(found),
        *(() if judges is None else (judge_verdicts(judges, found),)),
    )
    return tuple(table for table in tables if table.rows)


def regrading_sentence(found: Regrading) -> str:
    """How far both gradings agree. Judges' ids in it are data."""
    kappa = "" if found.kappa is None else f", kappa {found.kappa:.2f}"
    return (
        f"Both gradings say the same of {percent_of(found.agreement)} rows{kappa}; {found.flipped} flipped. "
        "Neither replaces the other."
    )


def graders(gradings: Iterable[Grading]) -> Table:
    """Who graded, when, by which rules and against which gold."""
    rows = [
        (
            grading.id,
            grading.judge,
            grading.version[:12] or NOTHING,
            f"{grading.at:%Y-%m-%d %H:%M}",
            f"extra calls {grading.policy.extra_calls}, meaning {grading.policy.meaning}",
            grading.gold_hash[:12] or NOTHING,
            grading.note or ", ".join(f"check of {tool}" for tool in grading.checks) or NOTHING,
        )
        for grading in gradings
    ]
    columns = (
        data("Grading"),
        data("Judge"),
        data("Prompt"),
        text("When"),
        text("Policy"),
        data("Gold"),
        data("Note"),
    )
    return table_of("gradings", "Gradings", columns, rows)


def models(found: Regrading) -> Table:
    """Recall and accuracy of every model under both."""
    rows = [
        (
            model,
            *map(percent_of, (both.old_recall, both.new_recall, both.old_accuracy, both.new_accuracy)),
            str(both.flips),
        )
        for model, both in found.models.items()
    ]
    columns = (data("Model"), *numbers("Recall then", "Recall now", "Accuracy then", "Accuracy now", "Flipped"))
    return table_of("regraded_models", "Models under both gradings", columns, rows)


def crossings(found: Regrading) -> Table:
    """What the one says where the other says what."""
    rows = [(crossing.old, crossing.new, str(crossing.rows)) for crossing in found.table]
    return table_of("crossings", "Then and now", (text("Then"), text("Now"), *numbers("Rows")), rows)


def flips(found: Regrading) -> Table:
    """The rows that differ, with both reasons; of many, the first."""
    rows = [
        (
            flip.case_id,
            f"{flip.model} [{flip.variant}]" if flip.variant else flip.model,
            str(flip.repeat),
            flip.old,
            flip.new,
            flip.new_reason or flip.old_reason,
        )
        for flip in found.flips
    ]
    columns = (data("Case"), data("Model"), *numbers("Repeat"), text("Then"), text("Now"), data("Why"))
    more = found.flipped - len(rows)
    return table_of("flips", "Flipped rows", columns, rows, note=f"{more} more flipped." if more else "")


def judge_verdicts(judges: JudgeAgreement, found: Regrading) -> Table:
    """Verdict of the older judge against that of the newer one, over the questions that both were asked."""
    rows = [(said, *(str(judges.table[said][other]) for other in _VERDICTS)) for said in _VERDICTS]
    agreement = judges.agreement
    kappa = "" if agreement.kappa is None else f", kappa {agreement.kappa:.2f}"
    same = NOTHING if agreement.observed is None else f"{100 * agreement.observed:.1f} %"
    note = (
        f"Rows: {found.old.title}. Columns: {found.new.title}. {judges.common} common questions, "
        f"{judges.only_first} of the first alone, {judges.only_second} of the second alone; the same verdict on {same} "
        f"of {agreement.subjects}{kappa}."
    )
    columns = (text("Verdict"), *numbers(*_VERDICTS))
    return table_of("judges", "Judge against judge", columns, rows if judges.common else (), note=note)
