"""Grade every row before and after each relation, and report where a verdict moved."""

from collections.abc import Iterable, Sequence

from plugineval.harness.grading import GradingPolicy
from plugineval.harness.row_grading import RowVerdict, grade_row
from plugineval.harness.selftest.relations import RELATIONS, Relation
from plugineval.harness.selftest.rows import TrialRow
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.values import Json, Value

SHOWN = 20
_USUAL = GradingPolicy()
_FIELDS = ("verdict", "category", "outcome", "outcome_strict")


class Violation(Value):
    """One row whose verdict moved, with what it was and what it became."""

    case: str
    before: dict[str, Json]
    after: dict[str, Json]
    calls: Json
    """As they were."""
    respelled: Json
    """The calls, or the gold call that took their place."""


class RelationResult(Value):
    """One relation over all rows that it says anything about."""

    name: str
    sentence: str
    rows: int
    moved: int
    violations: tuple[Violation, ...] = ()
    """The first twenty."""


class SelfTest(Value):
    """All relations."""

    rows: int
    relations: tuple[RelationResult, ...]

    @property
    def moved(self) -> int:
        """Verdicts that moved; a sound grader has none."""
        return sum(relation.moved for relation in self.relations)


def self_test(
    rows: Iterable[TrialRow], *, policy: GradingPolicy = _USUAL, relations: Sequence[Relation] = RELATIONS
) -> SelfTest:
    """Try every relation on every row, under one policy."""
    trial = _Trial(policy, relations)
    count = 0
    for row in rows:
        count += 1
        trial.add(row)
    return SelfTest(rows=count, relations=trial.results())


class _Trial:
    def __init__(self, policy: GradingPolicy, relations: Sequence[Relation]) -> None:
        self._policy = policy
        self._rows = dict.fromkeys(relations, 0)
        self._moved = dict.fromkeys(relations, 0)
        self._violations: dict[Relation, list[Violation]] = {relation: [] for relation in relations}

    def add(self, row: TrialRow) -> None:
        before = self._grade(row)
        for relation in self._rows:
            again = relation.again(row)
            if again is not None:
                self._rows[relation] += 1
                self._compare(relation, (row, before), (again, self._grade(again)))

    def results(self) -> tuple[RelationResult, ...]:
        return tuple(
            RelationResult(
                name=relation.name,
                sentence=relation.sentence,
                rows=self._rows[relation],
                moved=self._moved[relation],
                violations=tuple(self._violations[relation]),
            )
            for relation in self._rows
        )

    def _grade(self, row: TrialRow) -> RowVerdict:
        return grade_row(row.case, RouterReply(calls=row.calls), policy=self._policy)

    def _compare(self, relation: Relation, old: tuple[TrialRow, RowVerdict], new: tuple[TrialRow, RowVerdict]) -> None:
        (row, before), (again, after) = old, new
        if not _moved(relation, before, after):
            return
        self._moved[relation] += 1
        if len(self._violations[relation]) < SHOWN:
            self._violations[relation].append(
                Violation(
                    case=row.case.id,
                    before=_said(before),
                    after=_said(after),
                    calls=_calls(row),
                    respelled=_calls(again),
                )
            )


def _moved(relation: Relation, before: RowVerdict, after: RowVerdict) -> bool:
    if relation.sides:
        return {before.verdict, after.verdict} == {"correct", "incorrect"}
    fields = (*_FIELDS, "subtype") if relation.subtype else _FIELDS
    return any(getattr(before, name) != getattr(after, name) for name in fields)


def _said(verdict: RowVerdict) -> dict[str, Json]:
    found: dict[str, Json] = verdict.model_dump(mode="json", exclude={"id", "exclusion"})
    return found


def _calls(row: TrialRow) -> Json:
    gold: Json = [{"name": call.tool, "arguments": call.arguments} for call in row.case.gold]
    calls: Json = [{"name": call.name, "arguments": call.arguments} for call in row.calls]
    return {"gold": gold, "predicted": calls}
