"""Optional arguments apart from required ones: where models fail that are right on everything they must fill (B25).

Counted on positives with a verdict whose required tools were all called: only there is an argument compared.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.harness.outcomes import Confusion, ErrorCategory, GradedRow, Mismatch, ParameterSubtype
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value

FIELDS_KEPT = 300
"""More than a person reads; a benchmark in which every case brings its own tools has thousands."""


class OptionalField(Value):
    """One optional argument of one tool, for one model."""

    model: str
    tool: str
    argument: str
    right: Rate
    """Gold sets it: the model gave it an equal value."""
    omitted: int
    wrong: int
    added: Rate
    """Gold leaves it out: the model gave it a value that is not its default."""


class OptionalFields(Value):
    """The breakdown. `on` and `off` say whether optional arguments are what fails."""

    fields: tuple[OptionalField, ...] = ()
    """Those with the most failures first; `counted` is how many there are."""
    counted: int = 0
    on: dict[str, Rate] = {}
    """Model -> positives right, of those whose gold sets an optional argument."""
    off: dict[str, Rate] = {}
    """Model -> positives right, of those whose gold sets none."""


class _Field(NamedTuple):
    model: str
    tool: str
    argument: str


class OptionalTally:
    """Counts rows as they pass; memory grows with arguments, not with rows."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[_Field, str]] = Counter()
        self._rows: Counter[tuple[str, bool, bool]] = Counter()
        self._repeats = 1

    def add(self, case: Case, row: GradedRow) -> None:
        """Count one row; a row that is no positive with a verdict says nothing about arguments."""
        if row.confusion not in {Confusion.TP, Confusion.FN}:
            return
        self._repeats = max(self._repeats, row.repeat + 1)
        set_in_gold = any(True for _, _, given in _optional(case) if given)
        self._rows[row.model, set_in_gold, row.confusion is Confusion.TP] += 1
        if row.confusion is Confusion.TP or row.category is ErrorCategory.PARAMETER_ERROR:
            self._count(case, row)

    def result(self) -> OptionalFields:
        """The breakdown so far; fields that no row is about are left out."""
        names = {field for field, _ in self._counts}
        models = dict.fromkeys(model for model, _, _ in self._rows)
        return OptionalFields(
            fields=tuple(map(self._field, sorted(names, key=self._failures_first)[:FIELDS_KEPT])),
            counted=len(names),
            on={model: self._rate(model, set_in_gold=True) for model in models},
            off={model: self._rate(model, set_in_gold=False) for model in models},
        )

    def _failures_first(self, field: _Field) -> tuple[int, _Field]:
        return -sum(self._counts[field, kind] for kind in ("omitted", "wrong", "added")), field

    def _count(self, case: Case, row: GradedRow) -> None:
        wrong = {(found.tool, _top(found)): found for found in reversed(row.mismatches)}
        for tool, argument, given in _optional(case):
            mismatch = wrong.get((tool, argument))
            self._counts[_Field(row.model, tool, argument), _kind(mismatch, given=given)] += 1

    def _field(self, field: _Field) -> OptionalField:
        counts = {kind: self._counts[field, kind] for kind in ("right", "omitted", "wrong", "added", "left out")}
        given = counts["right"] + counts["omitted"] + counts["wrong"]
        return OptionalField(
            **field._asdict(),
            right=Rate.of(counts["right"], given, repeats=self._repeats),
            omitted=counts["omitted"],
            wrong=counts["wrong"],
            added=Rate.of(counts["added"], counts["added"] + counts["left out"], repeats=self._repeats),
        )

    def _rate(self, model: str, *, set_in_gold: bool) -> Rate:
        right, wrong = (self._rows[model, set_in_gold, hit] for hit in (True, False))
        return Rate.of(right, right + wrong, repeats=self._repeats)


def _optional(case: Case) -> Iterator[tuple[str, str, bool]]:
    """(tool, argument, whether gold sets it) of every optional argument of every gold call.

    Where gold takes the argument or its absence, neither is a failure: it is no part of the breakdown.
    """
    for call in case.gold:
        tool = case.toolset.by_name.get(call.tool)
        free = {name for name, accepted in call.accepted.items() if accepted.omittable}
        for argument in tool.properties.keys() - {*tool.required, *free} if tool else ():
            yield call.tool, argument, argument in call.arguments


def _kind(mismatch: Mismatch | None, *, given: bool) -> str:
    if not given:
        return "left out" if mismatch is None else "added"
    if mismatch is None:
        return "right"
    return "omitted" if mismatch.subtype is ParameterSubtype.MISSING_ARGUMENT else "wrong"


def _top(mismatch: Mismatch) -> str:
    """The argument of the call: `traveller` for `traveller.seat`, `tags` for `tags[2]`."""
    return mismatch.argument.split(".", 1)[0].split("[", 1)[0]
