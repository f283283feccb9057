"""Compare the arguments of two calls of one tool, along its schema.

An omitted argument stands for its default, both ways (D13). Array order matters unless the schema, its description or
the case says set (D14). A text that is JSON is compared as what it spells. Values with alternatives are compared one by
one, each with its own alternatives: the product of options is never formed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from plugineval.harness.equivalence.defaults import Held, default_of, held, only_reads
from plugineval.harness.equivalence.expected import Expected, is_blank
from plugineval.harness.equivalence.findings import Comparison, Finding, FindingKind
from plugineval.harness.equivalence.json_text import unwrapped
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.ruling import ruling
from plugineval.harness.equivalence.sets import MOST_ITEMS, Matching, is_set, match, speaks_of_order
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place, Ruling
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Arguments, Json

Gold: TypeAlias = Json | Accepted
Found: TypeAlias = Iterator[Finding]
_MERELY_OTHER = frozenset({"texts.unsettled", "none"})
"""Rules that know nothing of two values but that they are not the same."""


def compare(gold: GoldCall, predicted: Arguments, root: Node, context: CallContext) -> Comparison:
    """All findings of `predicted` against `gold` under the tool's original schema (B8), `root` being its top."""
    expected: Mapping[str, Gold] = {**gold.arguments, **gold.accepted}
    return Comparison.of(_Comparer(context, frozenset(gold.unordered)).objects(expected, predicted, root, ""))


def plainly_equal(gold: GoldCall, predicted: Arguments) -> bool:
    """Whether the calls are the same to the letter, alternatives included; no rule is asked."""
    accepted, arguments = gold.accepted, gold.arguments
    for name, value in predicted.items():
        if name in accepted:
            if not _identical(accepted[name], value):
                return False
        elif name not in arguments or not _identical(arguments[name], value):
            return False
    if len(predicted) == len(arguments) and not accepted:
        return True
    return all(name in predicted or accepted[name].omittable for name in accepted) and all(
        name in predicted or name in accepted for name in arguments
    )


class _Comparer:
    def __init__(self, context: CallContext, unordered: frozenset[str]) -> None:
        self._context = context
        self._unordered = unordered

    def objects(self, gold: Mapping[str, Gold], predicted: Arguments, node: Node, path: str) -> Found:
        names = [
            name
            for name in (*gold, *(name for name in predicted if name not in gold))
            if name not in gold or name not in predicted or not _identical(gold[name], predicted[name])
        ]
        if not names:
            return
        together: set[str] = set()
        if len(names) > 1:
            yield from self._units(gold, predicted, node, path, together)
        for name in names:
            if name not in together:
                yield from self._member(gold, predicted, name, node, f"{path}.{name}" if path else name)

    def _units(
        self, gold: Mapping[str, Gold], predicted: Arguments, node: Node, path: str, together: set[str]
    ) -> Found:
        """A number and its unit in two arguments are one value; their names are added to `together`."""
        from plugineval.harness.equivalence.rules.domain.unit_pairs import settle_pairs

        plain = {name: value for name, value in gold.items() if not isinstance(value, Accepted)}
        for number, unit, found in settle_pairs(plain, predicted, node, self._context):
            together |= {number, unit}
            wanted, got = ({key: side.get(key) for key in (number, unit)} for side in (plain, predicted))
            yield from self._ruled(found, wanted, got, node, f"{path}.{number}" if path else number)

    def _member(self, gold: Mapping[str, Gold], predicted: Arguments, name: str, parent: Node, path: str) -> Found:
        child = parent.property(name)
        got = held(predicted, name, parent, child)
        expected = Expected.of(gold, name, parent, child)
        if got.given:
            yield from self._given(expected, got.value, child, path)
        elif expected.omittable:
            yield _omitted(expected, got, child, path)
        else:
            found = self._beside_default(expected, got.value, child, path) if got.known else None
            if found is None or found.differences:
                yield self._one_sided(FindingKind.ABSENT, expected.first, child, path)
            elif found.equal:
                yield _omitted(expected, got, child, path)
            else:
                yield from found.unsure

    def _given(self, expected: Expected, got: Json, node: Node, path: str) -> Found:
        default = default_of(node)
        if not expected.omittable:
            kept = default.known and (_identical(default.value, got) or _identical(default.value, expected.value))
            if kept:
                yield from self._beside_default(expected, got, node, path).findings
                return
            found = [*self._against(expected, got, node, path)]
            yield from found if len(found) < 2 else Comparison.of(found).findings
            return
        beside = self._beside_default(Expected(default.value), got, node, path) if default.known else None
        if beside is not None and beside.equal:
            yield Finding(path, FindingKind.AGREED, default.value, got, "arguments.default", node=node)
            yield from beside.coerced
        elif expected.accepted and is_blank(got):
            yield Finding(path, FindingKind.AGREED, None, got, "arguments.blank", node=node)
        elif not expected.nothing:
            yield from self._against(expected, got, node, path)
        elif beside is not None and not beside.differences:
            yield from beside.unsure
        else:
            yield self._one_sided(FindingKind.SURPLUS, got, node, path)

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
            yield from self.values(expected.value, got, node, path)
        else:
            yield from self._alternatives(expected.accepted, got, node, path)

    def _alternatives(self, gold: Accepted, got: Json, node: Node, path: str) -> Found:
        """The findings against the closest alternative; none where one agrees."""
        found: list[Comparison] = []
        for option in self._options(gold, got, node, path):
            found.append(Comparison.of(option))
            if found[-1].equal and not found[-1].coerced:
                yield from found[-1].agreed
                return
        best = min(found, key=lambda comparison: comparison.cost)
        doubts = [c.unsure[0] for c in found if c.unsure and not c.differences and c.unsure[0].path == path]
        if best.unsure and not best.differences and len(doubts) > 1:
            yield doubts[0]._replace(gold={"accepted": [doubt.gold for doubt in doubts]})
        else:
            yield from (*best.differences, *best.unsure, *best.coerced, *best.agreed)

    def _options(self, gold: Accepted, got: Json, node: Node, path: str) -> Iterator[Found | tuple[Finding, ...]]:
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
        if _identical(gold, predicted):
            return
        node = node.narrowed(gold)
        if isinstance(gold, dict) and isinstance(predicted, dict):
            yield from self.objects(gold, predicted, node, path)
        elif isinstance(gold, list) and isinstance(predicted, list):
            yield from self._arrays(gold, predicted, node, path)
        elif spelled := unwrapped(gold, predicted, node):
            if spelled.coerced:
                yield Finding(path, FindingKind.COERCED, gold, predicted, "coercion.json_text", node=node)
            yield from self.values(spelled.gold, spelled.predicted, spelled.node, path)
        else:
            found = ruling(gold, predicted, Place(node, path, self._context))
            yield from self._ruled(found, gold, predicted, node, path)

    def _ruled(self, found: Ruling, gold: Json, predicted: Json, node: Node, path: str) -> Found:
        kind = FindingKind.VALUE if found.agreement is Agreement.DIFFERENT else FindingKind.UNSURE
        if found.semantic and self._context.ask_meaning:
            kind = FindingKind.UNSURE
        elif found.agreement is Agreement.EQUAL:
            kind = FindingKind.COERCED if found.coerced else FindingKind.AGREED
        yield Finding(path, kind, gold, predicted, found.rule, found.reason, found.temporal, node)

    def _arrays(self, gold: Sequence[Gold], predicted: list[Json], node: Node, path: str) -> Found:
        whole = _Whole(gold, predicted, node, path)
        if len(gold) != len(predicted):
            yield whole.finding(FindingKind.VALUE, "lists.length", "another number of items")
        elif is_set(node, path, self._unordered):
            yield from self._sets(whole)
        else:
            pairs = zip(gold, predicted, strict=True)
            found = [finding for index, pair in enumerate(pairs) for finding in self._item(index, *pair, whole)]
            if not Comparison.of(found).equal and self._reordered(whole):
                # Without a word about order the policy decides (D14), with one the words are to be understood.
                asked = self._context.ask_meaning and speaks_of_order(node)
                kind = FindingKind.UNSURE if asked else FindingKind.VALUE
                yield whole.finding(kind, "lists.order", "the same items in another order")
            else:
                yield from found

    def _item(self, index: int, gold: Gold, got: Json, whole: "_Whole") -> Found:
        expected = Expected(accepted=gold) if isinstance(gold, Accepted) else Expected(gold)
        return self._against(expected, got, whole.node.item(index), f"{whole.path}[{index}]")

    def _sets(self, whole: "_Whole") -> Found:
        if len(whole.gold) > MOST_ITEMS and not _identical(whole.plain, whole.predicted):
            yield whole.finding(FindingKind.UNSURE, "sets.size", "a set too large to be compared item by item")
            return
        matching = self._matching(whole)
        if matching.different:
            yield whole.finding(FindingKind.VALUE, "sets.members", "other members")
        else:
            yield from (finding for pair in matching.pairs for finding in (*pair.unsure, *pair.coerced, *pair.agreed))

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
        return [Expected(accepted=item).first if isinstance(item, Accepted) else item for item in self.gold]

    def finding(self, kind: FindingKind, rule: str, reason: str) -> Finding:
        return Finding(self.path, kind, self.plain, self.predicted, rule, reason, node=self.node)


def _identical(gold: Gold, predicted: Json) -> bool:
    """The same JSON value to the letter; cheap, and asked of every value first."""
    if type(gold) is Accepted:
        return _among(gold.values, predicted)
    if type(gold) is not type(predicted) or gold != predicted:
        return False
    if isinstance(gold, dict) and isinstance(predicted, dict):
        # True == 1 in Python, and 1 == 1.0: the members are looked at one by one.
        return all(_identical(value, predicted[key]) for key, value in gold.items())
    return not isinstance(gold, list) or not isinstance(predicted, list) or _same_items(gold, predicted)


def _same_items(gold: list[Json], predicted: list[Json]) -> bool:
    """Whether equal lists hold values of the same types; only containers need a closer look."""
    kinds = [*map(type, gold)]
    if kinds != [*map(type, predicted)]:
        return False
    return (list not in kinds and dict not in kinds) or all(map(_identical, gold, predicted))


def _among(values: Sequence[Json], predicted: Json) -> bool:
    for value in values:  # noqa: SIM110 - the hottest loop of all, and a generator costs as much as its items
        if _identical(value, predicted):
            return True
    return False
