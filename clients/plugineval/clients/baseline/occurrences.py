"""Where a value stands in a text, found from the value: each way of saying it is looked for in the query."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from importlib import import_module
from typing import cast

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.lexicon import UNITS, unit_index
from plugineval.clients.baseline.rendering import surfaces
from plugineval.clients.baseline.spotting.expressions import SPOKEN
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.pccf.values import Json

_NUMBER_EDGE = (r"(?<![\w.:/])(?<!\d,)(?<!\d-)(?<!-)", r"(?![\d:/]|[.,-]\d)")
_WORD_EDGE = (r"(?<!\w)", r"(?!\w)")


def occurrences(argument: Argument, value: Json, reading: Reading) -> list[Found]:
    """Every place where the query says `value`, with the way it says it."""
    found: list[Found] = []
    for text, how in _ways(argument, value, reading.now):
        found += [Found(value, m.start(), m.end(), how) for m in _pattern(text).finditer(reading.text)]
    if isinstance(value, int | float):
        found = [each for each in found if not _part_of_another(each, reading)]
    if argument.kind is Kind.EXPRESSION:
        found = [each for each in found if not _cut_off(each, reading)]
    if argument.kind is Kind.EXPRESSION and isinstance(value, str) and not found:
        found = _formula(value, reading)
    return found or [each for each in _read_as(argument, reading) if each.value == value]


def _part_of_another(found: Found, reading: Reading) -> bool:
    """The five of "fifty-five" is no five."""
    return any(
        found.overlaps(number)
        and (number.start, number.end) != (found.start, found.end)
        and number.value != found.value
        for number in reading.all_numbers
    )


def _cut_off(found: Found, reading: Reading) -> bool:
    """A part of a longer expression is another expression."""
    return any(found.overlaps(each) and each.end - each.start > found.end - found.start for each in reading.expressions)


def _ways(argument: Argument, value: Json, now: datetime | None) -> Iterable[tuple[str, str]]:
    for surface in surfaces(argument, value, now):
        yield surface.text, surface.step or "verbatim"
    if argument.kind is Kind.UNIT and isinstance(value, str) and value.lower() in unit_index():
        symbol, quantity = unit_index()[value.lower()]
        names = next(names for each, names in UNITS[quantity] if each == symbol)
        yield from ((name, f"{value} is {name}") for name in (symbol, *names))


def _pattern(text: str) -> re.Pattern[str]:
    words = [re.escape(part) for part in re.split(r"[\s-]+", text) if part] if text[:1].isalpha() else [re.escape(text)]
    before, after = _NUMBER_EDGE if re.fullmatch(r"[-\d.,]+", text) else _WORD_EDGE
    edge_before = before if re.match(r"\w|-\d", text) else r"(?<![\w./\\])"
    edge_after = after if re.search(r"\w$", text) else r"(?![\w/\\]|\.\w)"
    return re.compile(edge_before + r"(?:[\s-]+|\s+and\s+)".join(words) + edge_after, re.IGNORECASE)


def _formula(value: str, reading: Reading) -> list[Found]:
    """The whole of an expression that is spelled or spaced differently; a part of a longer one does not count."""
    digits = cast("Callable[[str, str, float], str]", import_module("text_to_num").alpha2digit)
    wanted = re.sub(r"\s+", "", value)
    text = digits(reading.text, "en", 0.0).lower()
    for word, sign in SPOKEN.items():
        text = re.sub(rf"\s+{word}\s+", sign, text)
    text = re.sub(r"\s*([-+*/^%()])\s*", r"\1", text)
    stands = re.search(rf"(?<![\d+*/^%)-]){re.escape(wanted.lower())}(?![\d+*/^%(-])", text)
    spans = [each for each in reading.expressions if re.sub(r"\s+", "", str(each.value)) == wanted]
    return [Found(value, each.start, each.end, "expression spelled differently") for each in spans] if stands else []


def _read_as(argument: Argument, reading: Reading) -> list[Found]:
    """Readings for what cannot be turned round into a finite list of phrases."""
    match argument.kind:
        case Kind.DATE | Kind.DATETIME:
            return reading.dates + reading.datetimes
        case Kind.TIME:
            return reading.times
        case Kind.INTEGER | Kind.NUMBER:
            return reading.numbers
        case _:
            return []
