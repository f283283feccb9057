"""Is one argument's value supported by the query? Verbatim, normalised, a default, implied, or made up.

Judged from the value alone: how it was extracted is not looked at.
"""

import re
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.cues import cue_at, names
from plugineval.clients.baseline.lexicon import unit_index
from plugineval.clients.baseline.listed import listed, shown
from plugineval.clients.baseline.occurrences import occurrences
from plugineval.clients.baseline.rendering import implied_category
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.spotting.zones import zone_names
from plugineval.clients.baseline.words import squeezed
from plugineval.pccf.values import Json, canonical_json

_REQUEST_WORDS = re.compile(
    r"^(?:please|could you|can you|would you|i need|i want|i'd like|help me|with the|the following)\b", re.IGNORECASE
)

_TAKES_REQUEST = re.compile(
    r"\b(?:query|question|request|prompt|instruction|search|natural language|keywords?)\b", re.IGNORECASE
)
"""Arguments that may take the words of the request as they are."""


class Ground(NamedTuple):
    """Credit in [0, 1] for one argument, why, and the places in the query that it rests on."""

    credit: float
    reason: str
    places: tuple[Found, ...] = ()


def ground(argument: Argument, value: Json, reading: Reading, arguments: tuple[Argument, ...]) -> Ground:
    """How well the query supports `value` of `argument`."""
    conflict = _against_hints(argument, value)
    if conflict:
        return Ground(0.3, conflict)
    if isinstance(value, list):
        return _list(argument, value, reading, arguments)
    if isinstance(value, dict):
        return _literal(value, reading) or Ground(0.1, "the object is not in the query")
    if argument.kind is Kind.BOOLEAN:
        return _boolean(argument, value, reading)
    return _scalar(argument, value, reading, arguments)


def _scalar(argument: Argument, value: Json, reading: Reading, arguments: tuple[Argument, ...]) -> Ground:
    places = occurrences(argument, value, reading)
    if places:
        return _placed(argument, value, places, (reading, arguments))
    if argument.has_default and canonical_json(value) == canonical_json(argument.default):
        return Ground(1.0, "is the schema's default")
    if value is None and argument.nullable:
        return Ground(1.0, "is left open")
    return _implied(argument, value, reading) or Ground(0.0, f"{canonical_json(value)} is not in the query")


def _placed(
    argument: Argument, value: Json, places: list[Found], context: tuple[Reading, tuple[Argument, ...]]
) -> Ground:
    reading, arguments = context
    cues = [(cue_at(p, argument, reading.text, arguments), p) for p in places]
    best, place = max(cues, key=lambda pair: pair[0])
    if best < 0:
        return Ground(0.2, f"{canonical_json(value)} stands where the query names another argument", (place,))
    rival = _rival(argument, value, best, (reading, arguments))
    if rival is not None:
        return Ground(0.2, f"the query says {rival} for it", (place,))
    kept = tuple(p for cue, p in cues if cue == best)
    if argument.kind is Kind.TEXT and isinstance(value, str):
        return _text(argument, value, kept, reading)
    return Ground(1.0, _said(kept[0]), kept)


def _rival(argument: Argument, value: Json, best: float, context: tuple[Reading, tuple[Argument, ...]]) -> Json | None:
    """Another listed value that the query ties to the argument more closely."""
    reading, arguments = context
    for other in listed(argument.choices).said_in(reading) if argument.kind is Kind.CHOICE else ():
        places = [p for p in occurrences(argument, other, reading) if not _within_longer(p, value, reading)]
        if other != value and any(cue_at(p, argument, reading.text, arguments) > max(best, 0.5) for p in places):
            return other
    return None


def _within_longer(place: Found, value: Json, reading: Reading) -> bool:
    """The rival's words are a part of the value's own words ("match" in "match all")."""
    around = reading.text[max(0, place.start - 20) : place.end + 20].lower()
    return str(value).lower() in around and reading.text[place.start : place.end].lower() in str(value).lower()


def _said(place: Found) -> str:
    return "is in the query" if place.how == "verbatim" else place.how


def _text(argument: Argument, value: str, places: tuple[Found, ...], reading: Reading) -> Ground:
    quoted = [found for found in reading.quoted if found.value == value]
    if quoted:
        return Ground(1.0, "is quoted in the query", tuple(quoted))
    if any(place.within(reading.quoted) or any(q.within([place]) for q in reading.quoted) for place in places):
        return Ground(0.3, "cuts across what the query puts in quotation marks", places)
    if _REQUEST_WORDS.match(value):
        return Ground(0.4, "still holds words of the request itself", places)
    if any(names(argument, reading.text[max(0, place.start - 48) : place.start]) for place in places):
        return Ground(0.9, "follows its own name in the query", places)
    asks = _TAKES_REQUEST.search(f"{argument.label} {argument.description}")
    return Ground(0.8, "is what is asked", places) if asks else Ground(0.5, "is some part of the query", places)


def _implied(argument: Argument, value: Json, reading: Reading) -> Ground | None:
    if argument.kind is Kind.CHOICE:
        units = [word for word in re.findall(r"[A-Za-z/°'’]+", reading.text) if _surely_unit(word)]
        if units and implied_category(argument, units) == value:
            return Ground(0.9, f"is what {', '.join(units)} measure")
    if argument.hints.fallback is not None and value == argument.hints.fallback:
        return Ground(0.9, "is what the description says to use where the query names none")
    return None


def _surely_unit(word: str) -> bool:
    """Spelled as a unit: names, and symbols in their own case (`F`, `kg`, not the words "a" or "in")."""
    known = unit_index().get(word.lower())
    return known is not None and (len(word) > 2 or word == known[0]) and word != "in"


def _boolean(argument: Argument, value: Json, reading: Reading) -> Ground:
    if argument.has_default and value == argument.default:
        return Ground(1.0, "is the schema's default")
    label = r"[\s_-]+".join(map(re.escape, argument.label.split()))
    negative = re.search(
        rf"\b(?:without|no|not|disable)\s+(?:the\s+|any\s+)?{label}\b"
        rf"|\b{label}\W+(?:is |to |turned |switched |set to )*(?:off|false|no|disabled)\b",
        reading.text,
        re.IGNORECASE,
    )
    named = re.search(rf"\b{label}\b", reading.text, re.IGNORECASE)
    if not named:
        return Ground(0.1, "is not mentioned in the query")
    agrees = bool(negative) is (value is False)
    return Ground(1.0 if agrees else 0.1, "is said in the query" if agrees else "contradicts the query")


def _list(argument: Argument, value: list[Json], reading: Reading, arguments: tuple[Argument, ...]) -> Ground:
    literal = _literal(value, reading)
    if literal:
        return literal
    if not value or argument.item is None or any(isinstance(item, list | dict) for item in value):
        return Ground(0.1, "the list is not in the query")
    item = argument.item.model_copy(update={"name": argument.name, "label": argument.label})
    grounds = [_scalar(item, each, reading, arguments) for each in value]
    weakest = min(grounds, key=lambda each: each.credit)
    places = tuple(place for each in grounds for place in each.places)
    if weakest.credit < 0.5:
        return Ground(weakest.credit, weakest.reason, places)
    if not _in_order(grounds):
        return Ground(0.5, "the items stand in another order in the query", places)
    return Ground(weakest.credit, weakest.reason, places)


def _in_order(grounds: list[Ground]) -> bool:
    """Whether the items can be found one after the other."""
    at = -1
    for each in grounds:
        later = [place.start for place in each.places if place.start > at]
        if each.places and not later:
            return False
        at = min(later, default=at)
    return True


def _literal(value: Json, reading: Reading) -> Ground | None:
    """Written out as JSON, brackets around it aside."""
    wanted = canonical_json(value)
    for found in reading.literals:
        written = canonical_json(found.value)
        if wanted in {written, f"[{written}]", f"[[{written}]]"}:
            return Ground(1.0, "is written out in the query", (found,))
    several = list(reading.literals)
    if several and wanted == canonical_json([found.value for found in several]):
        return Ground(1.0, "is written out in the query", tuple(several))
    return None


def _against_hints(argument: Argument, value: Json) -> str | None:
    """What the description rules out although the schema lets it pass."""
    if not isinstance(value, str):
        return None
    if argument.kind is Kind.CHOICE and not argument.hints.open_list:
        known = listed(argument.choices).spellings
        if known and squeezed(value) not in known:
            return f"{value!r} is none of {shown(argument.choices)}"
    if argument.kind is Kind.ZONE and value not in zone_names():
        return f"{value!r} is no IANA time zone"
    if argument.kind is Kind.TIME and argument.hints.time_format and not re.fullmatch(r"\d\d:\d\d(:\d\d)?.*", value):
        return f"{value!r} is not written as {argument.hints.time_format}"
    return None
