"""Walk arguments along their schema and respell values where they stand."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.values import Arguments, Json

Respell: TypeAlias = Callable[[Json, Node, str], Json]
"""(value, its place in the schema, its path) -> the value in another spelling, or itself."""


def respelled(value: Json, node: Node, path: str, respell: Respell) -> Json:
    """`value` with `respell` applied to it and, before, to everything inside it."""
    node = node.narrowed(value)
    if isinstance(value, dict):
        return respell(
            {key: respelled(value[key], node.property(key), f"{path}.{key}", respell) for key in value}, node, path
        )
    if isinstance(value, list):
        items = [respelled(item, node.item(index), f"{path}[]", respell) for index, item in enumerate(value)]
        return respell(items, node, path)
    return respell(value, node, path)


def arguments_respelled(arguments: Arguments, root: Node, respell: Respell) -> Arguments:
    """The same for the arguments of a call."""
    found = respelled(arguments, root, "", respell)
    return found if isinstance(found, dict) else arguments


def leaves(value: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Every scalar with its path; items of a list share one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, f"{path}[]")
    else:
        yield path, value
