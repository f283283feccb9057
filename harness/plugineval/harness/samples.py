"""A bounded choice of rows a person should look at: a few per model and kind, the same whatever the order of rows."""

from collections.abc import Iterator

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import ErrorCategory, GradedRow, Outcome, ParameterSubtype
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
    """Keeps, of every model and kind, the first `limit` cases by id, each with its first repeat of that kind."""

    def __init__(self, limit: int = 5) -> None:
        self._limit = limit
        self._kept: dict[tuple[str, str], dict[str, RowSample]] = {}

    def add(self, case: Case, attempt: Attempt, row: GradedRow) -> None:
        """Consider one row; plainly right rows are passed over."""
        kind = _kind(row)
        if kind is None:
            return
        kept = self._kept.setdefault((row.model, kind), {})
        known = kept.get(row.case_id)
        if known is not None and known.repeat <= row.repeat:
            return
        if known is None and len(kept) >= self._limit:
            last = max(kept)
            if row.case_id > last:
                return
            del kept[last]
        kept[row.case_id] = _sample(kind, case, attempt, row)

    def __iter__(self) -> Iterator[RowSample]:
        """By model, kind and case."""
        for _, kept in sorted(self._kept.items()):
            yield from (sample for _, sample in sorted(kept.items()))


def _kind(row: GradedRow) -> str | None:
    if row.exclusion is not None:
        return row.exclusion.value
    if row.outcome is not None and row.outcome is not Outcome.CORRECT:
        return row.outcome.value
    if row.category is ErrorCategory.JUDGE_FAILURE:
        return row.category.value
    return "extra_call" if row.unsafe_extra_calls else None


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
