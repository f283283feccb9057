"""Rows of the degenerate models, which are graded beside every real one (X8), to be counted and not to be shown.

What they call depends on the tools alone. Where it is no tool that gold names, its arguments are compared with nothing,
and where it says nothing at all, every argument of gold is missing whatever its value is: the row counts like that of
any other case that offers the same tools and expects calls of the same tools, with arguments of the same names.
"""

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.degenerate import Degenerate
from plugineval.harness.equivalence.defaults import default_of
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.prepared_tools import PreparedTool, prepared
from plugineval.pccf.routing import RouterReply

_Names: TypeAlias = tuple[str, ...]


class _Shape(NamedTuple):
    """All that the row of a call depends on that answers no gold, or answers it with nothing."""

    model: str
    toolset: str
    gold: _Names
    missing: _Names
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
        """The graded row of `model` on `case`; details of its arguments may be those of another case."""
        toolset = case.toolset.content_hash
        reply = self._replies.get((model.id, toolset))
        if reply is None:
            reply = self._replies[model.id, toolset] = model.reply(case.toolset)
        gold = tuple(call.tool for call in case.gold)
        missing = _missing(case, reply) if any(call.name in gold for call in reply.calls) else ()
        if missing is None:
            return self._graded(case, model, reply, repeat)
        rest = (case.sample_type, case.scenario_kind, case.difficulty, case.ordered)
        shape = _Shape(model.id, toolset, gold, missing, case.target_tool, rest)
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


def _missing(case: Case, reply: RouterReply) -> _Names | None:
    """The arguments of the one gold call, all of which the one call leaves out; None where values have a say.

    A default may stand in for a value, and a null or several accepted values may allow the omission.
    """
    if len(case.gold) != 1 or len(reply.calls) != 1 or reply.calls[0].arguments != {}:
        return None
    gold, spec = case.gold[0], case.toolset.by_name.get(case.gold[0].tool)
    if spec is None or gold.accepted or None in gold.arguments.values():
        return None
    tool = prepared(spec)
    return None if any(_has_default(tool, name) for name in gold.arguments) else tuple(sorted(gold.arguments))


@lru_cache(maxsize=4096)
def _has_default(tool: PreparedTool, name: str) -> bool:
    return default_of(tool.root.property(name)).known
