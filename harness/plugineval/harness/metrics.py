"""Everything a report says of one model, as counts and rates with their denominators (P49 to P53, B9, B10).

Excluded rows are in no denominator. Positives are the rows counted TP or FN, negatives those counted TN or FP.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TypeAlias, TypeVar

from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, Outcome, ParameterSubtype
from plugineval.harness.rates import accuracy_of, recall_of, share
from plugineval.harness.reconciliation import ViewCell, reconcile
from plugineval.harness.strata import Spread, Stratum, by_difficulty, by_negative_kind, spread_of
from plugineval.harness.tally import Cell, Tally
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value

_Matches: TypeAlias = Callable[[Cell], bool]
_Member = TypeVar("_Member", bound=StrEnum)


class ErrorProfile(Value):
    """Rates of the error categories and parameter subtypes; `over` per negative, the others per positive (P53)."""

    miss: Rate
    parameter: Rate
    over: Rate
    temporal: Rate
    missing: Rate
    value: Rate
    judge_failure: Rate


class StepRates(Value):
    """The four metrics that are never conflated (B9); `schema_valid` among positives where anything was called."""

    called: Rate
    right_tools: Rate
    schema_valid: Rate
    semantically_right: Rate


class ExtraCalls(Value):
    """Rows with calls beyond gold, which do not fail a positive in the paper's view (D6)."""

    rows: int
    not_read_only: int
    """Rows in which such a call was to a tool not known to be read-only."""


class ModelMetrics(Value):
    """One model's numbers. Counts of `Outcome` and `Confusion` list every member, zeros included."""

    rows: int
    graded: int
    positives: int
    negatives: int
    recall: Rate
    accuracy: Rate
    confusion: dict[Confusion, int]
    outcomes: dict[Outcome, int]
    errors: ErrorProfile
    steps: StepRates
    extra_calls: ExtraCalls
    coerced: int
    """Rows right only after a lossless coercion: TP in the paper's view, invalid in the strict one (D14)."""
    exclusions: dict[Exclusion, int]
    by_difficulty: dict[str, Stratum]
    by_negative_kind: dict[str, Rate]
    spread: Spread
    views: tuple[ViewCell, ...]


def metrics_of(tally: Tally) -> ModelMetrics:
    """All numbers of one model's rows."""
    graded = tally.count(lambda cell: cell.verdict.exclusion is None)
    repeats = max(len(tally.repeats()), 1)
    confusion = _counts(tally.split(lambda cell: cell.verdict.confusion), Confusion)
    return ModelMetrics(
        rows=tally.count(),
        graded=graded,
        positives=confusion[Confusion.TP] + confusion[Confusion.FN],
        negatives=confusion[Confusion.TN] + confusion[Confusion.FP],
        recall=recall_of(tally, repeats),
        accuracy=accuracy_of(tally, repeats),
        confusion=confusion,
        outcomes=_counts(tally.split(lambda cell: cell.verdict.outcome), Outcome),
        errors=_errors(tally, repeats),
        steps=_steps(tally, repeats),
        extra_calls=ExtraCalls(
            rows=tally.count(lambda cell: cell.positive and cell.verdict.steps.extra),
            not_read_only=tally.count(lambda cell: cell.positive and cell.verdict.steps.unsafe_extra),
        ),
        coerced=tally.count(lambda cell: cell.verdict.steps.coerced and cell.verdict.confusion is Confusion.TP),
        exclusions=_exclusions(tally),
        by_difficulty=by_difficulty(tally, repeats),
        by_negative_kind=by_negative_kind(tally, repeats),
        spread=spread_of(tally),
        views=reconcile(tally),
    )


def _errors(tally: Tally, repeats: int) -> ErrorProfile:
    def among(positive: bool, hit: _Matches) -> Rate:
        return share(tally, hit, lambda cell: cell.positive if positive else cell.negative, repeats)

    def category(member: ErrorCategory) -> _Matches:
        return lambda cell: cell.verdict.category is member

    def subtype(member: ParameterSubtype) -> _Matches:
        return lambda cell: cell.verdict.subtype is member

    return ErrorProfile(
        miss=among(True, category(ErrorCategory.MISS_RECALL)),
        parameter=among(True, category(ErrorCategory.PARAMETER_ERROR)),
        over=among(False, category(ErrorCategory.OVER_RECALL)),
        temporal=among(True, subtype(ParameterSubtype.TEMPORAL)),
        missing=among(True, subtype(ParameterSubtype.MISSING_ARGUMENT)),
        value=among(True, subtype(ParameterSubtype.INCORRECT_VALUE)),
        judge_failure=among(True, category(ErrorCategory.JUDGE_FAILURE)),
    )


def _steps(tally: Tally, repeats: int) -> StepRates:
    positives = tally.where(lambda cell: cell.positive)
    return StepRates(
        called=share(positives, lambda cell: cell.verdict.steps.called, lambda cell: True, repeats),
        right_tools=share(positives, lambda cell: cell.verdict.steps.right_tools, lambda cell: True, repeats),
        schema_valid=share(
            positives, lambda cell: cell.verdict.steps.schema_valid, lambda cell: cell.verdict.steps.called, repeats
        ),
        semantically_right=recall_of(positives, repeats),
    )


def _exclusions(tally: Tally) -> dict[Exclusion, int]:
    counts = _counts(tally.split(lambda cell: cell.verdict.exclusion), Exclusion)
    return {member: number for member, number in counts.items() if number}


def _counts(parts: Mapping[_Member | None, Tally], members: Iterable[_Member]) -> dict[_Member, int]:
    return {member: parts[member].count() if member in parts else 0 for member in members}
