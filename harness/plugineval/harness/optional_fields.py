"""Optional arguments apart from required ones: where models fail that are right on everything they must fill (B25).

Counted on positives with a verdict whose required tools were all called: only there is an argument compared.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from plugineval.harness.cases import Case
from plugineval.harness.outcomes import Confusion, ErrorCategory, GradedRow, Mismatch, ParameterSubtype
from plugineval.harness.row_facts import RowFacts
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


_Argument: TypeAlias = tuple[str, str, bool]
"""Tool, argument, whether gold sets it."""
_Arguments: TypeAlias = tuple[_Argument, ...]


class _Field(NamedTuple):
    model: str
    tool: str
    argument: str


class OptionalTally:
    """Counts rows as they pass; memory grows with arguments, not with rows."""

    def __init__(self) -> None:
        self._kinds: dict[_Arguments, int] = {}
        self._listed: list[_Arguments] = []
        self._mistaken: Counter[tuple[_Field, str]] = Counter()
        self._rows: Counter[tuple[str, int, bool]] = Counter()
        self._repeats = 1

    def kind_of(self, case: Case) -> int:
        """The number of those cases whose gold says the same of the same optional arguments."""
        arguments = tuple(_optional(case))
        kind = self._kinds.setdefault(arguments, len(self._listed))
        if kind == len(self._listed):
            self._listed.append(arguments)
        return kind

    def count(self, kind: int, facts: RowFacts) -> None:
        """Count one row of a case of that kind; one that is no positive with a verdict says nothing of arguments."""
        verdict, model = facts.verdict, facts.model
        right = verdict.confusion is Confusion.TP
        if not right and verdict.confusion is not Confusion.FN:
            return
        self._repeats = max(self._repeats, facts.repeat + 1)
        self._rows[model, kind, right] += 1
        if verdict.category is ErrorCategory.PARAMETER_ERROR:
            self._count_mistakes(kind, model, facts.whole)

    def result(self) -> OptionalFields:
        """The breakdown so far; fields that no row is about are left out."""
        kinds, counts = self._listed, self._mistaken.copy()
        for (model, kind, right), rows in self._rows.items():
            # A right row has no mismatch: what gold says of an argument is what the model did.
            for tool, argument, given in kinds[kind] if right else ():
                counts[_Field(model, tool, argument), _did(None, given=given)] += rows
        fields = _Fields(counts, self._repeats)
        ordered = fields.failures_first()
        models = dict.fromkeys(model for model, _, _ in self._rows)
        return OptionalFields(
            fields=tuple(map(fields.told, ordered[:FIELDS_KEPT])),
            counted=len(ordered),
            on={model: self._rate(model, kinds, set_in_gold=True) for model in models},
            off={model: self._rate(model, kinds, set_in_gold=False) for model in models},
        )

    def _count_mistakes(self, kind: int, model: str, row: GradedRow) -> None:
        wrong = {(found.tool, _top(found)): found for found in reversed(row.mismatches)}
        for tool, argument, given in self._listed[kind]:
            self._mistaken[_Field(model, tool, argument), _did(wrong.get((tool, argument)), given=given)] += 1

    def _rate(self, model: str, kinds: Sequence[_Arguments], *, set_in_gold: bool) -> Rate:
        like = [kind for kind, arguments in enumerate(kinds) if any(given for *_, given in arguments) is set_in_gold]
        right, wrong = (sum(self._rows[model, kind, hit] for kind in like) for hit in (True, False))
        return Rate.of(right, right + wrong, repeats=self._repeats)


class _Fields:
    """What models did with each field."""

    def __init__(self, counts: Counter[tuple[_Field, str]], repeats: int) -> None:
        self._counts = counts
        self._repeats = repeats

    def failures_first(self) -> list[_Field]:
        return sorted({field for field, _ in self._counts}, key=self._most_failures)

    def _most_failures(self, field: _Field) -> tuple[int, _Field]:
        return -sum(self._counts[field, did] for did in ("omitted", "wrong", "added")), field

    def told(self, field: _Field) -> OptionalField:
        counts = {did: self._counts[field, did] for did in ("right", "omitted", "wrong", "added", "left out")}
        given = counts["right"] + counts["omitted"] + counts["wrong"]
        return OptionalField(
            **field._asdict(),
            right=Rate.of(counts["right"], given, repeats=self._repeats),
            omitted=counts["omitted"],
            wrong=counts["wrong"],
            added=Rate.of(counts["added"], counts["added"] + counts["left out"], repeats=self._repeats),
        )


def _optional(case: Case) -> Iterator[_Argument]:
    """Every optional argument of every gold call, in one order.

    Where gold takes the argument or its absence, neither is a failure: it is no part of the breakdown.
    """
    for call in case.gold:
        tool = case.toolset.by_name.get(call.tool)
        free = {name for name, accepted in call.accepted.items() if accepted.omittable}
        for argument in sorted(tool.properties.keys() - {*tool.required, *free}) if tool else ():
            yield call.tool, argument, argument in call.arguments


def _did(mismatch: Mismatch | None, *, given: bool) -> str:
    if not given:
        return "left out" if mismatch is None else "added"
    if mismatch is None:
        return "right"
    return "omitted" if mismatch.subtype is ParameterSubtype.MISSING_ARGUMENT else "wrong"


def _top(mismatch: Mismatch) -> str:
    """The argument of the call: `traveller` for `traveller.seat`, `tags` for `tags[2]`."""
    return mismatch.argument.split(".", 1)[0].split("[", 1)[0]
