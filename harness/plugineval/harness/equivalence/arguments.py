"""Compare the arguments of two calls of one tool, along its schema.

An omitted argument stands for its default, both ways (D13). Array order matters unless the schema, its description or
the case says set (D14). A text that is JSON is compared as what it spells. Values with alternatives are compared one by
one, each with its own alternatives: the product of options is never formed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from plugineval.harness.equivalence.defaults import Default, Held, default_of, gives, left_out, only_reads
from plugineval.harness.equivalence.expected import Expected, is_blank
from plugineval.harness.equivalence.findings import Comparison, Finding, FindingKind
from plugineval.harness.equivalence.json_text import unwrapped
from plugineval.harness.equivalence.letters import Gold, apart, identical
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.ruling import ruling
from plugineval.harness.equivalence.sets import MOST_ITEMS, Matching, is_set, match, speaks_of_order
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place, Ruling
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Arguments, Json

Found: TypeAlias = Sequence[Finding]
_MERELY_OTHER = frozenset({"texts.unsettled", "none"})
"""Rules that know nothing of two values but that they are not the same."""


def compare(gold: GoldCall, predicted: Arguments, root: Node, context: CallContext) -> Comparison:
    """All findings of `predicted` against `gold` under the tool's original schema (B8), `root` being its top."""
    expected: Mapping[str, Gold] = {**gold.arguments, **gold.accepted} if gold.accepted else gold.arguments
    return Comparison.of(_Comparer(context, frozenset(gold.unordered)).objects(expected, predicted, root, ""))


class _Comparer:
    def __init__(self, context: CallContext, unordered: frozenset[str]) -> None:
        self._context = context
        self._unordered = unordered

    def objects(self, gold: Mapping[str, Gold], predicted: Arguments, node: Node, path: str) -> Found:
        names = apart(gold, predicted)
        if not names:
            return ()
        found: list[Finding] = []
        together: set[str] = set()
        if len(names) > 1:
            found += self._units(gold, predicted, node, path, together)
        for name in names:
            if name not in together:
                found += self._member(gold, predicted, name, node, f"{path}.{name}" if path else name)
        return found

    def _units(
        self, gold: Mapping[str, Gold], predicted: Arguments, node: Node, path: str, together: set[str]
    ) -> Found:
        """A number and its unit in two arguments are one value; their names are added to `together`."""
        from plugineval.harness.equivalence.rules.domain.unit_pairs import settle_pairs

        found: list[Finding] = []
        plain = {name: value for name, value in gold.items() if type(value) is not Accepted}
        for number, unit, said in settle_pairs(plain, predicted, node, self._context):
            together |= {number, unit}
            wanted, got = ({key: side.get(key) for key in (number, unit)} for side in (plain, predicted))
            found += self._ruled(said, wanted, got, node, f"{path}.{number}" if path else number)
        return found

    def _member(self, gold: Mapping[str, Gold], predicted: Arguments, name: str, parent: Node, path: str) -> Found:
        child = parent.property(name)
        expected = Expected.of(gold, name, parent, child)
        if name in predicted and gives(predicted[name], name, parent, child):
            return self._given(expected, predicted[name], child, path)
        got = left_out(predicted, name, child)
        if expected.omittable:
            return (_omitted(expected, got, child, path),)
        found = self._beside_default(expected, got.value, child, path) if got.known else None
        if found is None or found.differences:
            return (self._one_sided(FindingKind.ABSENT, expected.first, child, path),)
        return (_omitted(expected, got, child, path),) if found.equal else found.unsure

    def _given(self, expected: Expected, got: Json, node: Node, path: str) -> Found:
        default = default_of(node)
        if expected.omittable:
            return self._given_freely(expected, got, default, node, path)
        if default.known and (identical(default.value, got) or identical(default.value, expected.value)):
            return self._beside_default(expected, got, node, path).findings
        found = self._against(expected, got, node, path)
        return found if len(found) < 2 else Comparison.of(found).findings

    def _given_freely(self, expected: Expected, got: Json, default: Default, node: Node, path: str) -> Found:
        """A value that could have been left out."""
        beside = self._beside_default(Expected(default.value), got, node, path) if default.known else None
        if beside is not None and beside.equal:
            agreed = Finding(path, FindingKind.AGREED, default.value, got, "arguments.default", node=node)
            return (agreed, *beside.coerced)
        if expected.accepted and is_blank(got):
            return (Finding(path, FindingKind.AGREED, None, got, "arguments.blank", node=node),)
        if not expected.nothing:
            return self._against(expected, got, node, path)
        if beside is not None and not beside.differences:
            return beside.unsure
        return (self._one_sided(FindingKind.SURPLUS, got, node, path),)

    def _beside_default(self, expected: Expected, got: Json, node: Node, path: str) -> Comparison:
        """A value against a default. Words that are merely other than the default's are another wish than it."""
        found = self._compared(expected, got, node, path)
        other = tuple(finding for finding in found.unsure if finding.rule in _MERELY_OTHER)
        if not other:
            return found
        return found._replace(
            differences=(*found.differences, *(finding._replace(kind=FindingKind.VALUE) for finding in other)),
            unsure=tuple(finding for finding in found.unsure if finding not in other),
        )

    def _one_sided(self, kind: FindingKind, value: Json, node: Node, path: str) -> Finding:
        """One side gives `value`, the other leaves the argument out, and no default says that this is the same."""
        absent = kind is FindingKind.ABSENT
        if value is not None:
            gold, predicted = (value, None) if absent else (None, value)
            reason = "gold has it, the call does not" if absent else "beyond gold, and not its default"
            return Finding(path, kind, gold, predicted, f"arguments.{kind.value}", reason, node=node)
        said = f"{node.schema.get('description', '')} {self._context.tool_description}".lower()
        if only_reads(said):
            return Finding(path, FindingKind.AGREED, None, None, "null.omitted", node=node)
        kind = kind if "null" in said and not self._context.ask_meaning else FindingKind.UNSURE
        reason = "null and an omitted argument may be two different wishes"
        return Finding(path, kind, None, None, "null.meaning", reason, node=node)

    def _compared(self, expected: Expected, got: Json, node: Node, path: str) -> Comparison:
        return Comparison.of(self._against(expected, got, node, path))

    def _against(self, expected: Expected, got: Json, node: Node, path: str) -> Found:
        if expected.accepted is None:
            return self.values(expected.value, got, node, path)
        return self._alternatives(expected.accepted, got, node, path)

    def _alternatives(self, gold: Accepted, got: Json, node: Node, path: str) -> Found:
        """The findings against the closest alternative; none where one agrees."""
        found: list[Comparison] = []
        for option in self._options(gold, got, node, path):
            found.append(Comparison.of(option))
            if found[-1].equal and not found[-1].coerced:
                return found[-1].agreed
        best = min(found, key=lambda comparison: comparison.cost)
        doubts = [c.unsure[0] for c in found if c.unsure and not c.differences and c.unsure[0].path == path]
        if best.unsure and not best.differences and len(doubts) > 1:
            return (doubts[0]._replace(gold={"accepted": [doubt.gold for doubt in doubts]}),)
        return (*best.differences, *best.unsure, *best.coerced, *best.agreed)

    def _options(self, gold: Accepted, got: Json, node: Node, path: str) -> Iterator[Found]:
        """One after the other: nothing is asked about those behind the first that agrees."""
        for value in gold.values:
            yield self.values(value, got, node, path)
        if isinstance(got, dict):
            for members in gold.members:
                yield self.objects(members, got, node.narrowed(got), path)
        if isinstance(got, list):
            for items in gold.items:
                yield self._arrays(items, got, node.narrowed(got), path)
        if not gold.values:
            yield (Finding(path, FindingKind.VALUE, None, got, "types.kind", "a value of another type", node=node),)

    def values(self, gold: Json, predicted: Json, node: Node, path: str) -> Found:
        if identical(gold, predicted):
            return ()
        node = node.narrowed(gold)
        if isinstance(gold, dict) and isinstance(predicted, dict):
            return self.objects(gold, predicted, node, path)
        if isinstance(gold, list) and isinstance(predicted, list):
            return self._arrays(gold, predicted, node, path)
        if spelled := unwrapped(gold, predicted, node):
            inside = self.values(spelled.gold, spelled.predicted, spelled.node, path)
            if not spelled.coerced:
                return inside
            return (Finding(path, FindingKind.COERCED, gold, predicted, "coercion.json_text", node=node), *inside)
        found = ruling(gold, predicted, Place(node, path, self._context))
        return self._ruled(found, gold, predicted, node, path)

    def _ruled(self, found: Ruling, gold: Json, predicted: Json, node: Node, path: str) -> Found:
        if found.semantic and self._context.ask_meaning:
            kind = FindingKind.UNSURE
        elif found.agreement is Agreement.EQUAL:
            kind = FindingKind.COERCED if found.coerced else FindingKind.AGREED
        else:
            kind = FindingKind.VALUE if found.agreement is Agreement.DIFFERENT else FindingKind.UNSURE
        return (Finding(path, kind, gold, predicted, found.rule, found.reason, found.temporal, node),)

    def _arrays(self, gold: Sequence[Gold], predicted: list[Json], node: Node, path: str) -> Found:
        whole = _Whole(gold, predicted, node, path)
        if len(gold) != len(predicted):
            return (whole.finding(FindingKind.VALUE, "lists.length", "another number of items"),)
        if is_set(node, path, self._unordered):
            return self._sets(whole)
        pairs = zip(gold, predicted, strict=True)
        found = [finding for index, pair in enumerate(pairs) for finding in self._item(index, *pair, whole)]
        if Comparison.of(found).equal or not self._reordered(whole):
            return found
        # Without a word about order the policy decides (D14), with one the words are to be understood.
        asked = self._context.ask_meaning and speaks_of_order(node)
        kind = FindingKind.UNSURE if asked else FindingKind.VALUE
        return (whole.finding(kind, "lists.order", "the same items in another order"),)

    def _item(self, index: int, gold: Gold, got: Json, whole: "_Whole") -> Found:
        expected = Expected(accepted=gold) if type(gold) is Accepted else Expected(gold)
        return self._against(expected, got, whole.node.item(index), f"{whole.path}[{index}]")

    def _sets(self, whole: "_Whole") -> Found:
        if len(whole.gold) > MOST_ITEMS and not identical(whole.plain, whole.predicted):
            return (whole.finding(FindingKind.UNSURE, "sets.size", "a set too large to be compared item by item"),)
        matching = self._matching(whole)
        if matching.different:
            return (whole.finding(FindingKind.VALUE, "sets.members", "other members"),)
        return [finding for pair in matching.pairs for finding in (*pair.unsure, *pair.coerced, *pair.agreed)]

    def _reordered(self, whole: "_Whole") -> bool:
        return 1 < len(whole.gold) <= MOST_ITEMS and self._matching(whole).equal

    def _matching(self, whole: "_Whole") -> Matching:
        return match(
            whole.gold,
            whole.predicted,
            lambda index, wanted, got: Comparison.of(self._item(index, wanted, got, whole)),
        )


def _omitted(expected: Expected, got: Held, node: Node, path: str) -> Finding:
    kind = FindingKind.COERCED if got.nulled else FindingKind.AGREED
    return Finding(path, kind, expected.first, None, "null.omitted" if got.nulled else "arguments.default", node=node)


class _Whole(NamedTuple):
    """Two lists and where they stand."""

    gold: Sequence[Gold]
    predicted: list[Json]
    node: Node
    path: str

    @property
    def plain(self) -> list[Json]:
        return [Expected(accepted=item).first if type(item) is Accepted else item for item in self.gold]

    def finding(self, kind: FindingKind, rule: str, reason: str) -> Finding:
        return Finding(self.path, kind, self.plain, self.predicted, rule, reason, node=self.node)
