"""Rows of the degenerate models, which are graded beside every real one (X8).

What they call depends on the tools alone. Where it is no tool that gold names, its arguments are compared with nothing,
and the row is that of any other case that offers the same tools and expects calls of the same tools.
"""

from datetime import datetime
from typing import NamedTuple

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.degenerate import Degenerate
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.pccf.routing import RouterReply


class _Shape(NamedTuple):
    """All that the row of a call depends on that answers no gold."""

    model: str
    toolset: str
    gold: tuple[str, ...]
    target: str | None
    rest: tuple[object, ...]


class BesideRows:
    """Grades each kind of case once for each model."""

    def __init__(self, policy: GradingPolicy, *, at: datetime) -> None:
        self._policy = policy
        self._at = at
        self._replies: dict[tuple[str, str], RouterReply] = {}
        self._rows: dict[_Shape, GradedRow] = {}

    def row(self, case: Case, model: Degenerate, repeat: int) -> GradedRow:
        """The graded row of `model` on `case`."""
        toolset = case.toolset.content_hash
        reply = self._replies.get((model.id, toolset))
        if reply is None:
            reply = self._replies[model.id, toolset] = model.reply(case.toolset)
        gold = tuple(call.tool for call in case.gold)
        if any(call.name in gold for call in reply.calls):
            return self._graded(case, model, reply, repeat)
        rest = (case.sample_type, case.scenario_kind, case.difficulty, case.ordered)
        shape = _Shape(model.id, toolset, gold, case.target_tool, rest)
        found = self._rows.get(shape)
        if found is None:
            found = self._rows[shape] = self._graded(case, model, reply, repeat)
        return GradedRow.trusted({**vars(found), "case_id": case.id, "repeat": repeat})

    def _graded(self, case: Case, model: Degenerate, reply: RouterReply, repeat: int) -> GradedRow:
        attempt = Attempt(
            case_id=case.id,
            model=model.id,
            repeat=repeat,
            reply=reply,
            toolset_hash=case.toolset.content_hash,
            at=self._at,
        )
        return grade(case, attempt, policy=self._policy)
