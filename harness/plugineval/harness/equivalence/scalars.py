"""Equality of two scalars: numbers by value, strings after Unicode NFC and trimming, enum members exactly.

Only a lossless coercion is one: the text of a number or a boolean where the schema asks for it (D14).
"""

import json
import unicodedata
from enum import Enum, auto

from plugineval.harness.equivalence.nodes import Node, json_types
from plugineval.pccf.values import Json


class Agreement(Enum):
    """How two scalars agree."""

    EQUAL = auto()
    COERCED = auto()
    DIFFERENT = auto()


def agreement(gold: Json, predicted: Json, node: Node) -> Agreement:
    """Compare two scalars under the keywords of `node`."""
    if _same(gold, predicted, exact="enum" in node.schema):
        return Agreement.EQUAL
    if isinstance(predicted, str) and _coerces(predicted, gold, node):
        return Agreement.COERCED
    return Agreement.DIFFERENT


def _same(gold: Json, predicted: Json, *, exact: bool) -> bool:
    if isinstance(gold, str) and isinstance(predicted, str):
        return gold == predicted if exact else surface(gold) == surface(predicted)
    # True == 1 in Python, never in JSON.
    return bool(json_types(gold) & json_types(predicted)) and gold == predicted


def surface(text: str) -> str:
    """The form in which two strings are compared."""
    return unicodedata.normalize("NFC", text).strip()


def _coerces(text: str, gold: Json, node: Node) -> bool:
    types = node.types()
    if not types or "string" in types or not isinstance(gold, bool | int | float) or not node.admits(gold):
        return False
    if isinstance(gold, bool):
        return text.strip().lower() == str(gold).lower()
    return _number(text) == gold


def _number(text: str) -> int | float | None:
    """The JSON number that `text` spells; None for anything else, NaN and infinities included."""
    stripped = text.strip()
    if not stripped or stripped[0] not in "-0123456789":
        return None
    try:
        found: Json = json.loads(stripped)
    except ValueError:
        return None
    return found if isinstance(found, int | float) and abs(found) != float("inf") else None
