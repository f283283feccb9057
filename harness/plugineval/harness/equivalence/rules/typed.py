"""Numbers, booleans and null by their value, and values of two types: equal only by a lossless coercion (D14).

25 is 25.0 and 1e3 is 1000; true is no number; the text "25" is 25 where the schema asks for a number, and flagged for
the strict view. A number where the schema asks for a text is invalid, never coerced.
"""

import json

from plugineval.harness.equivalence.nodes import Node, json_types
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_NOISE = 1e-12
"""Relative error that binary floating point adds to a decimal on its way through a computation."""
_NUMBERS = (int, float)
"""Of Python, booleans among them."""
_OF_THE_SAME_TYPE = Ruling(Agreement.EQUAL, "types.same_value")
_OF_ANOTHER_TYPE = Ruling(Agreement.DIFFERENT, "types.kind", "a value of another type")
_ANOTHER_VALUE = Ruling(Agreement.DIFFERENT, "types.value", "another value")
_ANOTHER_NUMBER = Ruling(Agreement.DIFFERENT, "numbers.value", "another value")
_REFUSED = Ruling(Agreement.DIFFERENT, "types.refused", "a type that the schema does not allow here")


def decide_types(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Decides where the schema allows the type of only one of the two values."""
    if place.node.admits(gold) == place.node.admits(predicted):
        return None
    return coerced(gold, predicted, place.node) or _REFUSED


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Decides everything but two strings."""
    if isinstance(gold, str) and isinstance(predicted, str):
        return None
    if same(gold, predicted):
        return _OF_THE_SAME_TYPE
    if isinstance(gold, str) or isinstance(predicted, str):
        return _text_and_other(gold, predicted, place)
    shared = json_types(gold) & json_types(predicted)
    if not shared:
        return _OF_ANOTHER_TYPE
    return _ANOTHER_NUMBER if "number" in shared else _ANOTHER_VALUE


def _text_and_other(gold: Json, predicted: Json, place: Place) -> Ruling:
    spelled = coerced(gold, predicted, place.node)
    if spelled is None:
        return _OF_ANOTHER_TYPE
    if spelled.agreement is Agreement.EQUAL and place.node.admits(gold) and place.node.admits(predicted):
        return Ruling(Agreement.UNSURE, "types.undeclared", "the schema allows the text and the value it spells")
    return spelled


def same(gold: Json, predicted: Json) -> bool:
    """Whether two scalars are the same JSON value."""
    # True == 1 in Python, never in JSON.
    if isinstance(gold, bool) or isinstance(predicted, bool):
        return gold is predicted
    if isinstance(gold, _NUMBERS) and isinstance(predicted, _NUMBERS):
        return _same_number(gold, predicted)
    return type(gold) is type(predicted) and gold == predicted


def _same_number(one: float, other: float) -> bool:
    if one == other:
        return True
    if not (isinstance(one, float) or isinstance(other, float)):
        return False
    try:
        near = abs(one - other) <= _NOISE * max(abs(one), abs(other))
        return near and not (float(one).is_integer() and float(other).is_integer())
    except OverflowError:
        # An integer too large for a float is no float's neighbour.
        return False


def coerced(gold: Json, predicted: Json, node: Node) -> Ruling | None:
    """A text against the number or boolean it may spell; None where it spells none, or the schema wants the text."""
    text, value = (gold, predicted) if isinstance(gold, str) else (predicted, gold)
    if not isinstance(text, str) or not isinstance(value, _NUMBERS) or not node.admits(value):
        return None
    spelled = _boolean(text) if isinstance(value, bool) else _number(text)
    if spelled is None:
        return None
    if same(spelled, value):
        return Ruling(Agreement.EQUAL, "coercion.lossless", "the text spells the value", coerced=text is predicted)
    return Ruling(Agreement.DIFFERENT, "numbers.value", "the text spells another value")


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.strip().lower())


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
