"""Numbers written as text: "1,000" is "1000", "5 %" is "5" where the schema speaks of percent, "two" is "2".

1,000 is a thousand; 1.000 may be one or a thousand and is settled only where both readings agree. Leading zeros make
a text an identifier, and a version 1.20 is not 1.2: both are none of this rule's business.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from typing import NamedTuple

from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.harness.equivalence.wording import surface, words_of
from plugineval.pccf.values import Json

_PLAIN = re.compile(r"[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_COMMA_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_SPACE_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:[ _']\d{3})+(?:\.\d+)?")
_COMMA_POINT = re.compile(r"[+-]?(?:0|[1-9]\d*),\d+")
_PARTS = re.compile(r"(?:(\d{1,6}) )?(\d{1,4})[/\u2044](\d{1,4})")
_GROUPING = re.compile(r"[, _']")
_WORDY = re.compile(r"(?:[a-z]+[ -]?){1,8}")
_PERCENT = re.compile(r"\bper ?cent(?:age)?\b|%|\bpct\b", re.IGNORECASE)
_FRACTION = re.compile(
    r"\bfraction\b|\bdecimal\b|between 0(?:\.0)? and 1(?:\.0)?\b|\b0\s*(?:-|to)\s*1\b", re.IGNORECASE
)
_VERSION = re.compile(r"\bversions?\b|\brelease\b|\brevision\b|\bsection\b|\bchapter\b", re.IGNORECASE)
_NAMES = frozenset({"title", "name", "label", "subject"})


class _Read(NamedTuple):
    readings: frozenset[Decimal]
    percent: bool
    spelled: bool


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two texts that both are nothing but a number."""
    if not isinstance(gold, str) or not isinstance(predicted, str) or _a_version(place.name, place.description):
        return None
    one = _read(gold, words=False)
    other = _read(predicted, words=one is not None)
    one = one or (_read(gold, words=True) if other is not None and not other.spelled else None)
    if one is None or other is None:
        return None
    if one.percent != other.percent:
        return _percent(one, other, place)
    if one.readings == other.readings and len(one.readings) == 1:
        return _equal(one, other, place)
    if one.readings & other.readings:
        return Ruling(Agreement.UNSURE, "numbers.notation", "the separators may be read in two ways")
    return Ruling(Agreement.DIFFERENT, "numbers.value", "another number")


def _equal(one: _Read, other: _Read, place: Place) -> Ruling:
    if one.spelled != other.spelled and _NAMES & set(words_of(place.name)):
        return Ruling(Agreement.UNSURE, "numbers.spelled_name", "a number in words, in a name")
    return Ruling(Agreement.EQUAL, "numbers.value")


def _percent(one: _Read, other: _Read, place: Place) -> Ruling:
    marked, bare = (one, other) if one.percent else (other, one)
    said = _spoken(place.name, place.description)
    hundredths = frozenset(number / 100 for number in marked.readings)
    as_percent, as_fraction = bool(marked.readings & bare.readings), bool(hundredths & bare.readings)
    settled = _PERCENT.search(said) is not None, _FRACTION.search(said) is not None
    if not (as_percent or as_fraction):
        return Ruling(Agreement.DIFFERENT, "numbers.percent", "another share")
    if settled[0] != settled[1]:
        fits = as_percent if settled[0] else as_fraction
        reason = "" if fits else "the schema says whether it means percent, and this is another share"
        return Ruling(Agreement.EQUAL if fits else Agreement.DIFFERENT, "numbers.percent", reason)
    return Ruling(Agreement.UNSURE, "numbers.percent", "the schema does not say whether it means percent")


@lru_cache(maxsize=4096)
def _a_version(name: str, description: str) -> bool:
    return _VERSION.search(_spoken(name, description)) is not None


def _spoken(name: str, description: str) -> str:
    return f"{name.replace('_', ' ')} {description}"


def _read(text: str, *, words: bool) -> _Read | None:
    plain = surface(text)
    percent = plain.endswith("%") or plain.endswith("percent")
    if percent:
        plain = plain.removesuffix("%").removesuffix("percent").rstrip()
    readings = frozenset(_readings(plain))
    if readings:
        return _Read(readings, percent, spelled=False)
    if words and (parts := _PARTS.fullmatch(plain)) and int(parts[3]):
        return _Read(frozenset({int(parts[1] or 0) + Decimal(parts[2]) / Decimal(parts[3])}), percent, spelled=True)
    spelled = _spelled(plain.lower()) if words and _WORDY.fullmatch(plain.lower()) else None
    return None if spelled is None else _Read(frozenset({Decimal(spelled)}), percent, spelled=True)


def _readings(text: str) -> list[Decimal]:
    if not any(character.isdigit() for character in text) or len(text) > 60:
        return []
    found: list[str] = []
    if _PLAIN.fullmatch(text):
        found.append(text)
    if _COMMA_GROUPS.fullmatch(text) or _SPACE_GROUPS.fullmatch(text):
        found.append(_GROUPING.sub("", text))
    if _POINT_GROUPS.fullmatch(text):
        found.append(text.replace(".", "").replace(",", "."))
    elif _COMMA_POINT.fullmatch(text) and not found:
        found.append(text.replace(",", "."))
    return [Decimal(number) for number in found]


def _spelled(text: str) -> int | None:
    text2num: Callable[[str, str], int] = import_module("text_to_num").text2num
    try:
        return text2num(text, "en")
    except ValueError:
        return None
