"""What grading knows about one attempt before any verdict: pairs, schema findings per call, what is still open."""

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from plugineval.harness.alignment import Alignment, NamedCall, Pair, align
from plugineval.harness.cases import Case
from plugineval.harness.comparing import Comparing
from plugineval.harness.equivalence.findings import Comparison, Finding
from plugineval.harness.outcomes import Mismatch
from plugineval.harness.prepared_tools import prepared
from plugineval.harness.refusals import as_finding, blamed
from plugineval.harness.taxonomy import mismatch_of
from plugineval.harness.tool_names import offered_name
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.tools import Toolset


class CallCheck(NamedTuple):
    """One emitted call against the original schema of its tool (B8)."""

    name: str
    """Offered name that the call means; as emitted where it means none."""
    emitted: str
    violations: tuple[SchemaViolation, ...]
    unknown: tuple[str, ...]
    read_only: bool
    """Known to be read-only: the tool says so itself."""


class Evidence(NamedTuple):
    """Everything both views are derived from."""

    alignment: Alignment
    checks: tuple[CallCheck, ...]
    comparisons: tuple[Comparison, ...] = ()
    """The findings of every pair, in gold order."""
    missing_tools: tuple[str, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    violations: tuple[SchemaViolation, ...] = ()
    """Broken rules of the calls that answer a gold call."""
    blamed: tuple[SchemaViolation, ...] = ()
    """Those of them that no lossless coercion explains."""
    duplicates: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    """The tool of every pair, in gold order."""

    @property
    def extra(self) -> tuple[CallCheck, ...]:
        """The calls that answer no gold call."""
        extra = self.alignment.extra
        return tuple([self.checks[index] for index in extra]) if extra else ()

    @property
    def decided(self) -> bool:
        """Whether something is wrong whatever is still open."""
        return bool(self.missing_tools or self.mismatches)

    @property
    def doubts(self) -> tuple[tuple[str, Finding], ...]:
        """The tool and the finding of every value that is still open."""
        pairs = zip(self.answered, self.comparisons, strict=True)
        return tuple((tool, finding) for tool, comparison in pairs for finding in comparison.unsure)

    @property
    def coerced(self) -> tuple[str, ...]:
        """`tool.argument` of the values that are equal only by a lossless coercion."""
        if not any(map(_COERCED, self.comparisons)):
            return ()
        pairs = zip(self.answered, self.comparisons, strict=True)
        return tuple([f"{tool}.{finding.path}" for tool, comparison in pairs for finding in comparison.coerced])

    @property
    def rules(self) -> tuple[str, ...]:
        """Every rule that had a say, each once."""
        said = [finding.rule for comparison in self.comparisons for finding in comparison.findings]
        said += [mismatch.rule for mismatch in self.mismatches]
        return tuple(dict.fromkeys(said) if len(said) > 1 else said)

    @property
    def crashed(self) -> str:
        """What broke in the user's checks."""
        return "; ".join(comparison.crashed for comparison in self.comparisons if comparison.crashed)

    @property
    def judge_failed(self) -> bool:
        """Whether a judge was asked and could not settle a value."""
        return any(map(_FAILED, self.comparisons))


def examine(case: Case, calls: tuple[EmittedCall, ...], comparing: Comparing) -> Evidence:
    """Align the calls with gold and check each against its schema."""
    toolset, gold = case.toolset, case.gold
    named = [NamedCall(offered_name(call.name, toolset) or call.name, call) for call in calls]
    checks = tuple([_check(each, toolset) for each in named])
    alignment = align(gold, named, comparing, ordered=case.ordered)
    pairs, missing, extra = alignment
    facts = [_judged(case, pair, checks) for pair in pairs]
    # Most rows have one pair or none, and there is nothing to put together.
    mismatches, violations, guilty = facts[0] if len(facts) == 1 else _together(facts)
    return Evidence(
        alignment,
        checks,
        tuple([pair.comparison for pair in pairs]),
        tuple([gold[index].tool for index in missing]) if missing else (),
        mismatches,
        violations,
        guilty,
        tuple(_duplicates(alignment, named, comparing)) if extra else (),
        tuple([gold[pair.gold].tool for pair in pairs]),
    )


_COERCED, _FAILED = attrgetter("coerced"), attrgetter("failed")


class _PairFacts(NamedTuple):
    mismatches: tuple[Mismatch, ...]
    violations: tuple[SchemaViolation, ...] = ()
    blamed: tuple[SchemaViolation, ...] = ()


_NO_FACTS = _PairFacts(())


def _together(facts: list[_PairFacts]) -> _PairFacts:
    return _PairFacts(
        tuple([found for pair in facts for found in pair.mismatches]),
        tuple([found for pair in facts for found in pair.violations]),
        tuple([found for pair in facts for found in pair.blamed]),
    )


def _judged(case: Case, pair: Pair, checks: tuple[CallCheck, ...]) -> _PairFacts:
    gold, comparison, violations = case.gold[pair.gold], pair.comparison, checks[pair.call].violations
    differences = comparison.differences
    mismatches = tuple([mismatch_of(gold.tool, finding) for finding in differences]) if differences else ()
    if not violations:
        return _PairFacts(mismatches) if mismatches else _NO_FACTS
    spec = case.toolset.by_name.get(gold.tool)
    if spec is None:
        return _PairFacts(mismatches, violations, violations)
    guilty = blamed(violations, comparison, gold, prepared(spec))
    mismatches = mismatches or tuple(mismatch_of(gold.tool, as_finding(found)) for found in guilty)
    return _PairFacts(mismatches, violations, guilty)


def _duplicates(alignment: Alignment, named: list[NamedCall], comparing: Comparing) -> Iterator[str]:
    """The extra calls that say once more what a call that answers gold says."""
    answering = [named[pair.call] for pair in alignment.pairs]
    for index in alignment.extra:
        extra = named[index]
        if any(extra.tool == each.tool and comparing.repeats(each.tool, each.call, extra.call) for each in answering):
            yield extra.tool


def _check(named: NamedCall, toolset: Toolset) -> CallCheck:
    name, call = named
    tool = toolset.by_name.get(name)
    if tool is None:
        found = _broken("unknown_tool", f"no tool {name!r} was offered")
        return CallCheck(name, call.name, (found,), (), read_only=False)
    read_only = tool.hints.read_only is True
    if call.arguments is None:
        unreadable = _broken("unreadable", call.problem or "the arguments are not a JSON object")
        return CallCheck(name, call.name, (unreadable,), (), read_only)
    violations, unknown = prepared(tool).check(call.arguments)
    undescribed = tuple([f"{name}{pointer}" for pointer in unknown]) if unknown else ()
    return CallCheck(name, call.name, violations, undescribed, read_only)


def _broken(keyword: str, message: str) -> SchemaViolation:
    """What the call as a whole breaks."""
    return SchemaViolation.trusted({"path": "", "keyword": keyword, "message": message})
