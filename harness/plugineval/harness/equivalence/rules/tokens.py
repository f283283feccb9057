"""Short codes known by their look alone (v1.2, 12A, A1, COVID-19): their numbers decide, and where those are the same
their letters. What only punctuation or a leading letter tells apart stays open.
"""

import re

from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.harness.equivalence.wording import surface
from plugineval.pccf.values import Json

_TOKEN = re.compile(r"(?=\S*\d)[\w.+#/:@-]{1,48}")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_LETTERS = re.compile(r"[^\W\d_]+")
_SHORT = 6
_CAPITALS = re.compile(r"[A-Z]{2,5}")
_REGISTER = re.compile(r"\b(?:codes?|IATA|ICAO|ISO)\b")
_CITIES = frozenset(
    {"BJS", "BUE", "BUH", "CHI", "DTT", "HOU", "JKT", "LON", "MIL", "MOW", "NYC", "OSA", "PAR", "RIO", "ROM", "SAO"}
    | {"SEL", "SPK", "STO", "TYO", "WAS", "YMQ", "YTO"}
)
"""Codes that stand for all airports of a city."""
_QUANTITIES = re.compile(r"(?:\d+(?:\.\d+)?[a-z]+)+")


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two texts of one token each, a digit in both."""
    if not isinstance(gold, str) or not isinstance(predicted, str):
        return None
    one, other = surface(gold).casefold(), surface(predicted).casefold()
    return None if one == other else _tokens(one, other) or _registered(surface(gold), surface(predicted), place)


def _registered(one: str, other: str, place: Place) -> Ruling | None:
    """Two capital codes of one length, where the schema asks for a code: no register gives one thing two of them."""
    if len(one) != len(other) or not _CAPITALS.fullmatch(one) or not _CAPITALS.fullmatch(other):
        return None
    if not _REGISTER.search(place.description) or not _CITIES.isdisjoint((one, other)):
        return None
    return Ruling(Agreement.DIFFERENT, "codes.another", "another code")


def _tokens(one: str, other: str) -> Ruling | None:
    if not _TOKEN.fullmatch(one) or not _TOKEN.fullmatch(other):
        return None
    left, right = "".join(_LETTERS.findall(one)), "".join(_LETTERS.findall(other))
    if _NUMBER.findall(one) != _NUMBER.findall(other):
        if left != right and _QUANTITIES.fullmatch(one) and _QUANTITIES.fullmatch(other):
            return Ruling(Agreement.UNSURE, "codes.quantity", "quantities in units that are not known")
        return Ruling(Agreement.DIFFERENT, "codes.number", "another number in the code")
    if _other_letters(left, right) and max(len(one), len(other)) <= _SHORT:
        return Ruling(Agreement.DIFFERENT, "codes.letters", "another letter in the code")
    return Ruling(Agreement.UNSURE, "codes.spelling", "the same number in a code that is spelled otherwise")


def _other_letters(left: str, right: str) -> bool:
    return bool(left and right) and not left.startswith(right) and not right.startswith(left)
