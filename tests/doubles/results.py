"""Whole runs in a few strings: one string per case, one character per repeat, one list of cases per model."""

from collections.abc import Mapping, Sequence

from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.statistics.case_results import Arm, CaseResults
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.pccf.examples import Difficulty, SampleType

_MISS, _PARAM = ErrorCategory.MISS_RECALL, ErrorCategory.PARAMETER_ERROR
MARKS: dict[str, tuple[Confusion | None, Outcome | None, ErrorCategory | None, ParameterSubtype | None]] = {
    "1": (Confusion.TP, Outcome.CORRECT, None, None),
    "0": (Confusion.FN, Outcome.NO_CALL, _MISS, None),
    "w": (Confusion.FN, Outcome.WRONG_TOOL, _MISS, None),
    "i": (Confusion.FN, Outcome.INVALID_ARGS, _PARAM, ParameterSubtype.MISSING_ARGUMENT),
    "v": (Confusion.FN, Outcome.VALID_BUT_WRONG, _PARAM, ParameterSubtype.INCORRECT_VALUE),
    "t": (Confusion.FN, Outcome.VALID_BUT_WRONG, _PARAM, ParameterSubtype.TEMPORAL),
    "+": (Confusion.TN, Outcome.CORRECT, None, None),
    "-": (Confusion.FP, Outcome.SPURIOUS_CALL, ErrorCategory.OVER_RECALL, None),
    ".": (None, None, None, None),
}
"""Character -> the verdict it stands for; a dot has none."""


def marked_row(
    mark: str,
    *,
    model: str = "m",
    case: str = "c",
    repeat: int = 0,
    variant: str = "",
    difficulty: Difficulty | None = None,
) -> GradedRow:
    confusion, outcome, category, subtype = MARKS[mark]
    return GradedRow(
        case_id=case,
        model=model,
        repeat=repeat,
        variant=variant,
        sample_type=SampleType.GLOBAL_NEGATIVE if mark in "+-" else SampleType.POSITIVE,
        difficulty=difficulty,
        confusion=confusion,
        outcome=outcome,
        category=category,
        subtype=subtype,
        exclusion=Exclusion.TIMEOUT if confusion is None else None,
    )


def ledger_of(
    arms: Mapping[str, Sequence[str]],
    *,
    levels: Sequence[Difficulty | None] = (),
    tools: Sequence[str] = (),
) -> CaseLedger:
    """Keys are `model` or `model/variant`; `levels` and `tools` go with the cases."""
    names = {Arm(*key.split("/")): cases for key, cases in arms.items()}
    repeats = max((len(case) for cases in arms.values() for case in cases), default=1)
    ledger = CaseLedger(list(names), repeats=repeats)
    for arm, cases in names.items():
        for index, case in enumerate(cases):
            for repeat, mark in enumerate(case):
                row = marked_row(
                    mark,
                    model=arm.model,
                    variant=arm.variant,
                    case=f"c{index:04}",
                    repeat=repeat,
                    difficulty=levels[index] if levels else None,
                )
                ledger.add(row, tools=tuple(tools[index : index + 1]))
    return ledger


def results_of(
    arms: Mapping[str, Sequence[str]], *, levels: Sequence[Difficulty | None] = (), tools: Sequence[str] = ()
) -> CaseResults:
    return ledger_of(arms, levels=levels, tools=tools).results()
