"""JSON inside a text: compared as the value it spells, so that white space and key order do not matter.

Where the schema asks for an object or a list and one side gives its JSON text, the text is coerced, and flagged (D14).
"""

import json
from typing import NamedTuple

from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.values import Json

_LONGEST = 100_000
_CONTAINERS = (dict, list)


class Unwrapped(NamedTuple):
    """Two values spelled by texts, and the node they are compared under."""

    gold: Json
    predicted: Json
    node: Node
    coerced: bool
    """Only the prediction is a text where the schema asks for the value itself."""


def unwrapped(gold: Json, predicted: Json, node: Node) -> Unwrapped | None:
    """The pair of objects or lists that `gold` and `predicted` spell; None where they do not."""
    if isinstance(gold, str) and isinstance(predicted, str):
        one, other = _container(gold), _container(predicted)
        return None if one is None or other is None else Unwrapped(one, other, Node({}, node.root), coerced=False)
    text, value = (gold, predicted) if isinstance(gold, str) else (predicted, gold)
    if not isinstance(text, str) or not isinstance(value, _CONTAINERS) or node.admits(text):
        return None
    spelled = _container(text)
    if type(spelled) is not type(value):
        return None
    pair = (spelled, value) if text is gold else (value, spelled)
    return Unwrapped(*pair, node, coerced=text is predicted)


def _container(text: str) -> dict[str, Json] | list[Json] | None:
    stripped = text.strip()
    if len(stripped) > _LONGEST or stripped[:1] + stripped[-1:] not in {"{}", "[]"}:
        return None
    try:
        found: Json = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None
