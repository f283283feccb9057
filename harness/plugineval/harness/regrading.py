"""Two gradings of one run side by side (X9): new gold, a new judge or a new policy, and not a single model call.

Neither grading replaces the other: the table says how far they agree, and which rows flipped.
"""

from collections import Counter
from collections.abc import Mapping

from plugineval.harness.agreement import agreement_of_counts
from plugineval.harness.gradings import Grading
from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Value


class Crossing(Value):
    """Rows that one grading calls `old` and the other `new`: an outcome, a judge's failure, or an exclusion."""

    old: str
    new: str
    rows: int


class Flip(Value):
    """One row on which the two gradings differ."""

    case_id: str
    model: str
    repeat: int
    variant: str = ""
    old: str
    new: str
    old_reason: str
    new_reason: str


class RegradedModel(Value):
    """One model under both gradings, each over the rows it has a verdict on."""

    old_accuracy: Rate
    new_accuracy: Rate
    old_recall: Rate
    new_recall: Rate
    flips: int


class Regrading(Value):
    """The agreement of two gradings. `kappa` is Cohen's, over the verdicts of `table`."""

    old: Grading
    new: Grading
    rows: int
    agreement: Rate
    kappa: float | None
    table: tuple[Crossing, ...]
    models: dict[str, RegradedModel]
    flips: tuple[Flip, ...]
    """The first by model, case and repeat; `flipped` counts all."""
    flipped: int


class SideBySide:
    """Takes every row twice, as both gradings have it."""

    def __init__(self, old: Grading, new: Grading, *, listed: int = 50) -> None:
        self._old = old
        self._new = new
        self._listed = listed
        self._crossings: Counter[tuple[str, str]] = Counter()
        self._verdicts: Counter[tuple[str, bool, Confusion | None]] = Counter()
        self._flips: list[Flip] = []
        self._flipped: Counter[str] = Counter()
        self._models: dict[str, None] = {}
        self._repeats = 1

    def add(self, old: GradedRow, new: GradedRow) -> None:
        """Take one row; `InvalidRecordError` where the two are not of the same attempt."""
        if _cell(old) != _cell(new):
            raise InvalidRecordError(f"{_cell(old)} and {_cell(new)} are two attempts", field="row")
        self._models.setdefault(old.model)
        self._repeats = max(self._repeats, old.repeat + 1)
        self._crossings[verdict_name(old), verdict_name(new)] += 1
        self._verdicts[old.model, False, old.confusion] += 1
        self._verdicts[new.model, True, new.confusion] += 1
        if verdict_name(old) != verdict_name(new):
            self._flipped[old.model] += 1
            self._keep(_flip(old, new))

    def result(self) -> Regrading:
        """The two gradings of the rows so far."""
        rows = self._crossings.total()
        same = sum(number for (old, new), number in self._crossings.items() if old == new)
        return Regrading(
            old=self._old,
            new=self._new,
            rows=rows,
            agreement=Rate.of(same, rows, repeats=self._repeats),
            kappa=agreement_of_counts(self._crossings).kappa,
            table=tuple(Crossing(old=o, new=n, rows=number) for (o, n), number in sorted(self._crossings.items())),
            models={model: self._model(model) for model in self._models},
            flips=tuple(sorted(self._flips, key=_order)[: self._listed]),
            flipped=self._flipped.total(),
        )

    def _keep(self, flip: Flip) -> None:
        self._flips.append(flip)
        if len(self._flips) > 2 * self._listed:
            self._flips = sorted(self._flips, key=_order)[: self._listed]

    def _model(self, model: str) -> RegradedModel:
        old, new = ({c: self._verdicts[model, late, c] for c in Confusion} for late in (False, True))
        return RegradedModel(
            old_accuracy=self._accuracy(old),
            new_accuracy=self._accuracy(new),
            old_recall=self._recall(old),
            new_recall=self._recall(new),
            flips=self._flipped[model],
        )

    def _accuracy(self, counts: Mapping[Confusion, int]) -> Rate:
        return Rate.of(counts[Confusion.TP] + counts[Confusion.TN], sum(counts.values()), repeats=self._repeats)

    def _recall(self, counts: Mapping[Confusion, int]) -> Rate:
        return Rate.of(counts[Confusion.TP], counts[Confusion.TP] + counts[Confusion.FN], repeats=self._repeats)


def verdict_name(row: GradedRow) -> str:
    """What a grading says of a row, in one word: the exclusion, the outcome, or that its judge failed."""
    if row.exclusion is not None:
        return f"excluded: {row.exclusion.value}"
    if row.outcome is not None:
        return row.outcome.value
    return row.category.value if row.category is not None else "no verdict"


def _flip(old: GradedRow, new: GradedRow) -> Flip:
    return Flip(
        case_id=old.case_id,
        model=old.model,
        repeat=old.repeat,
        variant=old.variant,
        old=verdict_name(old),
        new=verdict_name(new),
        old_reason=old.reason or old.exclusion_detail,
        new_reason=new.reason or new.exclusion_detail,
    )


def _order(flip: Flip) -> tuple[str, str, str, int]:
    return flip.model, flip.variant, flip.case_id, flip.repeat


def _cell(row: GradedRow) -> tuple[str, str, str, int]:
    return row.model, row.variant, row.case_id, row.repeat
