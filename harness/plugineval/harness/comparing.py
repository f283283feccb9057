"""Compare one gold call with one emitted call: by the user's semantic check where the tool has one, else by the
deterministic comparator; what stays open is settled by the answers a judge has already given.
"""

import marshal
from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from plugineval.harness.by_identity import ByIdentity
from plugineval.harness.cases import Case
from plugineval.harness.equivalence.arguments import compare
from plugineval.harness.equivalence.findings import Comparison, Finding, FindingKind
from plugineval.harness.equivalence.letters import plainly_equal
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.verdicts import CallContext
from plugineval.harness.policies import Meaning
from plugineval.harness.prepared_tools import prepared
from plugineval.harness.questions import JudgedValue, JudgeQuestion, Settlement
from plugineval.harness.semantic_checks import SemanticChecks, checked
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Arguments


class Comparing:
    """The comparison of the calls of one case."""

    def __init__(
        self, case: Case, *, meaning: Meaning, settled: Mapping[str, Settlement], checks: SemanticChecks
    ) -> None:
        self._case = case
        self._meaning = meaning
        self._settled = settled
        self._checks = checks
        self._contexts: dict[str, CallContext] = {}
        self._plainly: dict[tuple[int, int], bool] = {}

    def __call__(self, gold: GoldCall, call: EmittedCall) -> Comparison:
        """The findings of `call` against `gold`, both of the same tool."""
        if call.arguments is None:
            reason = call.problem or "the arguments are not a JSON object"
            finding = Finding(
                "", FindingKind.UNREADABLE, gold.arguments, call.raw_arguments, "arguments.unreadable", reason
            )
            return Comparison(differences=(finding,))
        if gold.tool in self._checks:
            found = checked(self._checks[gold.tool], self._case, gold, call)
        else:
            found = self._compared(gold, call.arguments)
        return self._with_answers(gold.tool, found) if found.unsure and self._settled else found

    def plainly_equal(self, gold: GoldCall, call: EmittedCall) -> bool:
        """Whether the calls are the same to the letter, where the comparator decides about them."""
        if call.arguments is None or gold.tool in self._checks:
            return False
        # Asked by the short way and again by the long one; both calls outlive the comparison of their case.
        key = (id(gold), id(call))
        found = self._plainly.get(key)
        if found is None:
            found = self._plainly[key] = plainly_equal(gold, call.arguments)
        return found

    def repeats(self, tool: str, call: EmittedCall, other: EmittedCall) -> bool:
        """Whether two emitted calls of one tool are proven to say the same."""
        if call.arguments is None or other.arguments is None:
            return False
        return self._compared(GoldCall(tool=tool, arguments=call.arguments), other.arguments).equal

    def question(self, tool: str, finding: Finding) -> JudgeQuestion:
        """The question that an open finding puts to a judge."""
        case = self._case
        spec = case.toolset.by_name.get(tool)
        return JudgeQuestion(
            tool=tool,
            tool_description=spec.description if spec else "",
            argument=finding.path,
            argument_schema=finding.node.schema if finding.node else {},
            gold=finding.gold,
            predicted=finding.predicted,
            query=case.query.text,
            now=case.query.now,
            doubt=finding.reason,
        )

    def _compared(self, gold: GoldCall, arguments: Arguments) -> Comparison:
        spec = self._case.toolset.by_name.get(gold.tool)
        if spec is None:
            return compare(gold, arguments, _ANY, CallContext())
        tool = prepared(spec)
        context = self._contexts.get(gold.tool)
        if context is None:
            query = self._case.query
            context = self._contexts[gold.tool] = CallContext(
                query=query.text,
                now=query.now,
                tool=gold.tool,
                tool_description=spec.description,
                ask_meaning=self._meaning == "ask",
            )
        return _remembered(gold, arguments, tool.root, context)

    def _with_answers(self, tool: str, found: Comparison) -> Comparison:
        """The comparison with every doubt that a judge has settled moved to where it belongs."""
        parts: dict[str, list[Finding]] = {"equal": [], "different": [], "failure": [], "open": []}
        judged: list[JudgedValue] = []
        for finding in found.unsure:
            question = self.question(tool, finding)
            settlement = self._settled.get(question.key)
            if settlement is None:
                parts["open"].append(finding)
                continue
            judged.append(JudgedValue(question=question, settlement=settlement))
            parts[settlement.verdict].append(
                finding._replace(
                    kind=FindingKind.VALUE if settlement.verdict == "different" else FindingKind.AGREED,
                    rule=f"judge {settlement.judge}",
                    reason=settlement.justification,
                    subtype=settlement.subtype,
                )
            )
        return found._replace(
            differences=(*found.differences, *parts["different"]),
            unsure=tuple(parts["open"]),
            agreed=(*found.agreed, *parts["equal"]),
            failed=tuple(parts["failure"]),
            judged=tuple(judged),
        )


_MOST = 2048
_Asked: TypeAlias = tuple[bytes, str, datetime | None, bool]


class _Known:
    """Comparisons by gold call and arguments: models and repeats make the same call again and again."""

    def __init__(self) -> None:
        self._of_gold: ByIdentity[GoldCall, dict[_Asked, tuple[Node, Comparison]]] = ByIdentity()
        self._made = 0

    def get(self, gold: GoldCall, asked: _Asked, root: Node) -> Comparison | None:
        """That of this very gold call, where it was made by the same schema."""
        found = (self._of_gold.get(gold) or {}).get(asked)
        return found[1] if found is not None and found[0] is root else None

    def keep(self, gold: GoldCall, asked: _Asked, root: Node, comparison: Comparison) -> None:
        """At most so many at once, and none of a gold call that is gone."""
        if self._made >= _MOST:
            self._of_gold.clear()
            self._made = 0
        self._made += 1
        of_gold = self._of_gold.get(gold)
        if of_gold is None:
            self._of_gold.keep(gold, {asked: (root, comparison)})
        else:
            of_gold[asked] = (root, comparison)


_known = _Known()


def _remembered(gold: GoldCall, arguments: Arguments, root: Node, context: CallContext) -> Comparison:
    try:
        # Version 0 spells equal values of one type alike, and 1, 1.0 and true each in its own way.
        spelled = marshal.dumps(arguments, 0)
    except ValueError:
        return compare(gold, arguments, root, context)
    asked = (spelled, context.query, context.now, context.ask_meaning)
    found = _known.get(gold, asked, root)
    if found is None:
        found = compare(gold, arguments, root, context)
        _known.keep(gold, asked, root, found)
    return found


_ANY = Node.of_root({})
