"""Both views come from one graded row, and where they part the report says how often and why (D15)."""

from plugineval.harness.outcomes import Confusion, Outcome
from plugineval.harness.tally import Tally
from plugineval.pccf.values import Value

_AGREEING = {
    Confusion.TP: {Outcome.CORRECT},
    Confusion.TN: {Outcome.CORRECT},
    Confusion.FN: {Outcome.NO_CALL, Outcome.WRONG_TOOL, Outcome.INVALID_ARGS, Outcome.VALID_BUT_WRONG},
    Confusion.FP: {Outcome.SPURIOUS_CALL, Outcome.WRONG_TOOL},
}
_WHY = {
    (Confusion.TP, Outcome.INVALID_ARGS): "equal to gold, but not valid under the tool's schema as written",
    (Confusion.TP, Outcome.SPURIOUS_CALL): "right, with an extra call that the run's policy refuses",
    (Confusion.TN, Outcome.SPURIOUS_CALL): "another tool than the forbidden target was called",
}
_OTHER_TOOL = "the forbidden target was not called, but the call expected instead was not right either"


class ViewCell(Value):
    """Rows with one pair of verdicts; `why` where the two views part."""

    confusion: Confusion
    outcome: Outcome
    rows: int
    agree: bool
    why: str = ""


def reconcile(tally: Tally) -> tuple[ViewCell, ...]:
    """Every pair that occurs; the rows add up to the rows that have both verdicts."""
    pairs = tally.split(lambda cell: (cell.verdict.confusion, cell.verdict.outcome))
    return tuple(
        _view_cell(confusion, outcome, pairs[confusion, outcome].count())
        for confusion in Confusion
        for outcome in Outcome
        if (confusion, outcome) in pairs
    )


def _view_cell(confusion: Confusion, outcome: Outcome, rows: int) -> ViewCell:
    agree = outcome in _AGREEING[confusion]
    why = "" if agree else _WHY.get((confusion, outcome), _OTHER_TOOL)
    return ViewCell(confusion=confusion, outcome=outcome, rows=rows, agree=agree, why=why)
