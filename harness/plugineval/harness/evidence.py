"""What grading knows about one attempt before any verdict: pairs, schema findings per call, extra calls."""

from typing import NamedTuple

from plugineval.harness.alignment import Alignment, align
from plugineval.harness.cases import Case
from plugineval.harness.equivalence.arguments import compare
from plugineval.harness.equivalence.differences import Comparison, Difference, DifferenceKind
from plugineval.harness.outcomes import Mismatch
from plugineval.harness.taxonomy import mismatch_of
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.schemas import unknown_arguments, violations
from plugineval.pccf.tools import Toolset


class CallCheck(NamedTuple):
    """One emitted call against the original schema of its tool (B8)."""

    name: str
    violations: tuple[SchemaViolation, ...]
    unknown: tuple[str, ...]
    read_only: bool
    """Known to be read-only: the tool says so itself."""


class Evidence(NamedTuple):
    """Everything both views are derived from."""

    alignment: Alignment
    checks: tuple[CallCheck, ...]
    missing_tools: tuple[str, ...]
    mismatches: tuple[Mismatch, ...]
    coerced: tuple[str, ...]

    @property
    def extra(self) -> tuple[CallCheck, ...]:
        """The calls that answer no gold call."""
        return tuple(self.checks[index] for index in self.alignment.extra)

    @property
    def paired_violations(self) -> tuple[SchemaViolation, ...]:
        """Broken rules of the calls that answer a gold call."""
        return tuple(found for pair in self.alignment.pairs for found in self.checks[pair.call].violations)


def examine(case: Case, calls: tuple[EmittedCall, ...]) -> Evidence:
    """Align the calls with gold and check each against its schema."""

    def comparison(gold: Invocation, call: EmittedCall) -> Comparison:
        return _compare(gold, call, case.toolset)

    alignment = align(case.gold, calls, comparison, ordered=case.ordered)
    named = [(case.gold[pair.gold].tool, pair.comparison) for pair in alignment.pairs]
    return Evidence(
        alignment=alignment,
        checks=tuple(_check(call, case.toolset) for call in calls),
        missing_tools=tuple(case.gold[index].tool for index in alignment.missing),
        mismatches=tuple(mismatch_of(tool, found) for tool, compared in named for found in compared.differences),
        coerced=tuple(f"{tool}.{path}" for tool, compared in named for path in compared.coerced),
    )


def _compare(gold: Invocation, call: EmittedCall, toolset: Toolset) -> Comparison:
    if call.arguments is None:
        unreadable = Difference("", DifferenceKind.UNREADABLE, gold.arguments, call.raw_arguments)
        return Comparison(differences=(unreadable,))
    tool = toolset.by_name.get(gold.tool)
    return compare(gold.arguments, call.arguments, tool.input_schema if tool else {})


def _check(call: EmittedCall, toolset: Toolset) -> CallCheck:
    tool = toolset.by_name.get(call.name)
    if tool is None:
        found = SchemaViolation(path="", keyword="unknown_tool", message=f"no tool {call.name!r} was offered")
        return CallCheck(call.name, (found,), (), read_only=False)
    read_only = tool.hints.read_only is True
    if call.arguments is None:
        problem = call.problem or "the arguments are not a JSON object"
        unreadable = SchemaViolation(path="", keyword="unreadable", message=problem)
        return CallCheck(call.name, (unreadable,), (), read_only)
    schema = tool.input_schema
    unknown = tuple(f"{call.name}{pointer}" for pointer in unknown_arguments(schema, call.arguments))
    return CallCheck(call.name, violations(schema, call.arguments), unknown, read_only)
