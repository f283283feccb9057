"""Compare the arguments of two calls of one tool, along its schema.

An omitted argument stands for its default, both ways; null on an optional argument is an omission unless the schema
gives null a meaning (D13). Array order matters unless the schema says `uniqueItems` (D14).
"""

from collections.abc import Iterator
from typing import NamedTuple

from plugineval.harness.equivalence.differences import Comparison, Difference, DifferenceKind
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.scalars import Agreement, agreement
from plugineval.pccf.values import Arguments, Json


def compare(gold: Arguments, predicted: Arguments, schema: dict[str, Json]) -> Comparison:
    """All differences of `predicted` from `gold` under the tool's original `schema` (B8)."""
    return Comparison.of(list(_objects(gold, predicted, Node.of_root(schema), "")))


def _values(gold: Json, predicted: Json, node: Node, path: str) -> Iterator[Difference]:
    node = node.narrowed(gold)
    if isinstance(gold, dict) and isinstance(predicted, dict):
        yield from _objects(gold, predicted, node, path)
    elif isinstance(gold, list) and isinstance(predicted, list):
        yield from _arrays(gold, predicted, node, path)
    else:
        found = agreement(gold, predicted, node)
        if found is not Agreement.EQUAL:
            kind = DifferenceKind.COERCED if found is Agreement.COERCED else DifferenceKind.VALUE
            yield Difference(path, kind, gold, predicted, str(node.schema.get("format", "")))


class _Held(NamedTuple):
    """What an object holds under a name, the schema's default standing in for an omission."""

    value: Json
    given: bool
    known: bool


def _held(arguments: Arguments, name: str, parent: Node, child: Node) -> _Held:
    if name in arguments and (arguments[name] is not None or parent.requires(name) or child.means_null()):
        return _Held(arguments[name], given=True, known=True)
    return _Held(child.schema.get("default"), given=False, known="default" in child.schema)


def _objects(gold: Arguments, predicted: Arguments, node: Node, path: str) -> Iterator[Difference]:
    for name in dict.fromkeys((*gold, *predicted)):
        child = node.property(name)
        where = f"{path}.{name}" if path else name
        expected, got = _held(gold, name, node, child), _held(predicted, name, node, child)
        if expected.given and got.given:
            yield from _values(expected.value, got.value, child, where)
        elif not _stand_for_each_other(expected, got, child, where):
            kind = DifferenceKind.ABSENT if expected.given else DifferenceKind.SURPLUS
            yield Difference(where, kind, expected.value, got.value, str(child.schema.get("format", "")))


def _stand_for_each_other(expected: _Held, got: _Held, node: Node, path: str) -> bool:
    """Both omitted, or an omission whose default is what the other side says."""
    if not (expected.given or got.given):
        return True
    return expected.known and got.known and _agree(expected.value, got.value, node, path)


def _arrays(gold: list[Json], predicted: list[Json], node: Node, path: str) -> Iterator[Difference]:
    if node.schema.get("uniqueItems") is True:
        if not _same_set(gold, predicted, node, path):
            yield Difference(path, DifferenceKind.VALUE, gold, predicted)
    elif len(gold) != len(predicted):
        yield Difference(path, DifferenceKind.VALUE, gold, predicted)
    else:
        for index, (expected, got) in enumerate(zip(gold, predicted, strict=True)):
            yield from _values(expected, got, node.item(index), f"{path}[{index}]")


def _same_set(gold: list[Json], predicted: list[Json], node: Node, path: str) -> bool:
    left = list(predicted)
    for index, expected in enumerate(gold):
        # Agreement is transitive, so the first partner is as good as any other.
        partner = next((i for i, got in enumerate(left) if _agree(expected, got, node.item(index), path)), None)
        if partner is None:
            return False
        del left[partner]
    return not left


def _agree(gold: Json, predicted: Json, node: Node, path: str) -> bool:
    return all(found.kind is DifferenceKind.COERCED for found in _values(gold, predicted, node, path))
