"""What a report counts of attempts and their rows, from narrow columns: answers are counted without being read.

Rows of versions that kept no such columns are read whole instead, and count the same.
"""

from enum import StrEnum
from typing import Any, TypeAlias, TypeVar, cast

from sqlalchemy import FromClause, Row, case, select

from plugineval.harness.attempts import Attempt
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.row_facts import Cost, RowFacts, RowVerdict, Steps, cost_of, served_by
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value
from plugineval.server.store.cells import Rows, cell_of, same_cell

_attempts = tables.table_of(tables.Attempts)
_graded = tables.table_of(tables.Graded)
_VERDICT = RowVerdict._fields[:-1]
"""Columns of their own; the last field is the bits of `steps`."""
_READ_WHOLE = (ErrorCategory.PARAMETER_ERROR.value, ErrorCategory.JUDGE_FAILURE.value)
_UNKNOWN: dict[str, int | float | None] = dict.fromkeys(Cost._fields)
_Cell: TypeAlias = tuple[str, str, int, str]
_Said: TypeAlias = str | None
_Key: TypeAlias = tuple[_Said, str, _Said, _Said, _Said, _Said, _Said, _Said, int | None]
_Answer: TypeAlias = tuple[_Said, int | None, int | None, int | None, float | None, _Said, _Said]
E = TypeVar("E", bound=StrEnum)


def facts_of_attempt(attempt: Attempt) -> dict[str, object]:
    """The columns that repeat what is counted of an answer."""
    cost = cost_of(attempt)
    return {"served": served_by(attempt), **(_UNKNOWN if cost is None else cost._asdict())}


def listed_facts(run_id: str, grading: str) -> Rows:
    """What the rows of a grading say; the body of those alone that are read whole."""
    whole = _graded.c.category.in_(_READ_WHOLE) | _graded.c.steps.is_(None)
    columns = [*cell_of(_graded), *(_graded.c[field] for field in (*_VERDICT, "steps"))]
    body = case((whole, _graded.c.body)).label("row_body")
    return select(*columns, body).where(_graded.c.run_id == run_id, _graded.c.grading == grading)


def facts_query(run_id: str, listed: FromClause) -> Rows:
    """Rows for `FactsReader`: some of `listed_facts` with what their attempts add."""
    columns = (
        *cell_of(listed),
        *(listed.c[field] for field in (*_VERDICT, "steps")),
        *(_attempts.c[field] for field in ("served", *Cost._fields)),
        listed.c.row_body,
        case((_attempts.c.served.is_(None), _attempts.c.body)).label("body"),
    )
    return select(*columns).join_from(listed, _attempts, (_attempts.c.run_id == run_id) & same_cell(listed, _attempts))


class FactsReader:
    """Reads rows of `facts_query`; equal verdicts are one object. A million rows are read by slices, never by name."""

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self._verdicts: dict[_Key, RowVerdict] = {}

    def read(self, row: "Row[Any]") -> RowFacts:
        """One row; `InvalidRecordError` names one that no longer has the shape it was written in."""
        place, key = cast("_Cell", row[:4]), cast("_Key", row[4:13])
        served, calls, incoming, outgoing, dollars, row_body, body = cast("_Answer", row[13:])
        graded = None if row_body is None else read_value(GradedRow, row_body, "runs", self._run_id, *place)
        if graded is not None and key[-1] is None:
            found = RowVerdict.of(graded)
        else:
            found = self._verdicts.get(key) or self._verdict(key)
        if served is None:
            attempt = read_value(Attempt, body or "", "runs", self._run_id, *place)
            return RowFacts(*place, found, served_by(attempt), cost_of(attempt), graded)
        cost = None if calls is None else Cost(calls, incoming or 0, outgoing or 0, dollars)
        return RowFacts(*place, found, served, cost, graded)

    def _verdict(self, key: _Key) -> RowVerdict:
        difficulty, sample_type, scenario_kind, outcome, confusion, category, subtype, exclusion, steps = key
        found = self._verdicts[key] = RowVerdict(
            difficulty=_member(Difficulty, difficulty),
            sample_type=SampleType(sample_type),
            scenario_kind=_member(ScenarioKind, scenario_kind),
            outcome=_member(Outcome, outcome),
            confusion=_member(Confusion, confusion),
            category=_member(ErrorCategory, category),
            subtype=_member(ParameterSubtype, subtype),
            exclusion=_member(Exclusion, exclusion),
            steps=Steps.read(steps or 0),
        )
        return found


def _member(kind: type[E], said: str | None) -> E | None:
    return None if said is None else kind(said)
