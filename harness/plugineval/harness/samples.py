"""A bounded choice of rows a person should look at: a few per model and kind, the same whatever the order of rows."""

from collections.abc import Iterator

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import ErrorCategory, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.row_facts import RowVerdict
from plugineval.pccf.values import Arguments, Value


class CallText(Value):
    """A call as a report shows it; `arguments` is the raw text where they could not be read."""

    tool: str
    arguments: Arguments | str


class RowSample(Value):
    """One row with what is needed to understand it (X11)."""

    case_id: str
    model: str
    repeat: int
    kind: str
    """The outcome, the exclusion, `judge_failure`, or `extra_call`: right, with an unsafe call beside it (D6)."""
    outcome: Outcome | None = None
    category: ErrorCategory | None = None
    subtype: ParameterSubtype | None = None
    query: str
    gold: tuple[CallText, ...] = ()
    predicted: tuple[CallText, ...] = ()
    reason: str


class Samples:
    """Keeps, of every model and kind, the first `limit` cases by id, each with its first repeat of that kind.

    Which rows these are is known when all have been considered; those alone are shown.
    """

    def __init__(self, limit: int = 5) -> None:
        self._limit = limit
        self._kept: dict[tuple[str, str], dict[str, int]] = {}
        self._shown: dict[tuple[str, str, str], RowSample] = {}

    def consider(self, model: str, kind: str, case_id: str, repeat: int) -> bool:
        """Whether a row of that kind is among the chosen so far."""
        kept = self._kept.setdefault((model, kind), {})
        known = kept.get(case_id)
        if known is None and len(kept) >= self._limit:
            last = max(kept)
            if case_id > last:
                return False
            del kept[last]
        if known is None or repeat < known:
            kept[case_id] = repeat
        return kept[case_id] == repeat

    @property
    def chosen(self) -> Iterator[tuple[str, str, int]]:
        """Model, case and repeat of the rows that are to be shown."""
        for (model, _), kept in self._kept.items():
            yield from ((model, case_id, repeat) for case_id, repeat in kept.items())

    def show(self, case: Case, attempt: Attempt, row: GradedRow) -> None:
        """What there is to see of a chosen row."""
        kind = kind_of(RowVerdict.of(row))
        if kind is not None:
            self._shown[row.model, kind, row.case_id] = _sample(kind, case, attempt, row)

    def __iter__(self) -> Iterator[RowSample]:
        """By model, kind and case; of the chosen rows those that were shown."""
        for (model, kind), kept in sorted(self._kept.items()):
            for case_id, repeat in sorted(kept.items()):
                shown = self._shown.get((model, kind, case_id))
                if shown is not None and shown.repeat == repeat:
                    yield shown


def kind_of(verdict: RowVerdict) -> str | None:
    """The kind of rows with that verdict; None of plainly right rows, which are not shown."""
    if verdict.exclusion is not None:
        return verdict.exclusion.value
    if verdict.outcome is not None and verdict.outcome is not Outcome.CORRECT:
        return verdict.outcome.value
    if verdict.category is ErrorCategory.JUDGE_FAILURE:
        return verdict.category.value
    return "extra_call" if verdict.steps.unsafe_extra else None


def _sample(kind: str, case: Case, attempt: Attempt, row: GradedRow) -> RowSample:
    return RowSample(
        case_id=row.case_id,
        model=row.model,
        repeat=row.repeat,
        kind=kind,
        outcome=row.outcome,
        category=row.category,
        subtype=row.subtype,
        query=case.query.text,
        gold=tuple(CallText(tool=gold.tool, arguments=gold.arguments) for gold in case.gold),
        predicted=tuple(
            CallText(tool=call.name, arguments=call.raw_arguments if call.arguments is None else call.arguments)
            for call in attempt.reply.calls
        ),
        reason=row.exclusion_detail if row.exclusion else row.reason,
    )
