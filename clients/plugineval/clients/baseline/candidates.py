"""Which values of a text an argument could take, by its kind alone; nothing is decided between arguments yet."""

import re
from collections.abc import Callable

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.lexicon import symbol_of, synonyms, unit_index
from plugineval.clients.baseline.listed import MOST_COMPARED, listed
from plugineval.clients.baseline.spotting.found import Found, chains
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.spotting.spans import named_in
from plugineval.clients.baseline.strategies import Strategy
from plugineval.clients.baseline.words import each_word
from plugineval.pccf.values import Json

_STATES = dict.fromkeys(each_word("true yes on enabled"), True) | dict.fromkeys(
    each_word("false no off disabled"), False
)
_WORD = re.compile(r"[^\W\d_][\w/'-]*")
_OPENING = re.compile(
    r"^(?:(?:hi|hello|hey)[,!]? )?(?:please|could you|can you|would you|i need you to|i need to|i need|i want to"
    r"|i'd like to|i would like to|i'd like|help me|kindly|go ahead and|let's|what is|what's)[, ]+",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"(?:[, ]+(?:please|thanks|thank you|for me|if you can))*[.!?\s]*$", re.IGNORECASE)

REMAINDER = "the rest of the request"
"""How a value was found that is simply what is left of the text."""


def candidates(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    """Possible values of `argument`, each with its place in the text."""
    if argument.kind is Kind.CHOICE:
        return _choices(argument, reading, strategy)
    if argument.kind is Kind.ARRAY:
        return _arrays(argument, reading, strategy)
    return _BY_KIND[argument.kind](argument, reading, strategy)


def _choices(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    found: list[Found] = []
    for choice in listed(argument.choices).said_in(reading):
        if isinstance(choice, str):
            found += _mentions(choice, choice, reading.text, "listed value")
            if strategy.synonyms:
                for word in synonyms(choice):
                    found += _mentions(word, choice, reading.text, f"'{word}' means {choice}")
        else:
            found += [number for number in reading.numbers if number.value == choice]
    longest = [one for one in found if not any(_covers(other, one) for other in found)]
    if longest or argument.closed:
        return longest or (_near_misses(argument, reading) if strategy.synonyms else [])
    return _named(argument, reading)


def _covers(other: Found, one: Found) -> bool:
    return other.overlaps(one) and other.end - other.start > one.end - one.start


def _mentions(word: str, value: Json, text: str, how: str) -> list[Found]:
    pattern = r"[\s_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", word) if part)
    return [
        Found(value, m.start(), m.end(), how) for m in re.finditer(rf"(?<![\w]){pattern}(?![\w])", text, re.IGNORECASE)
    ]


def _near_misses(argument: Argument, reading: Reading) -> list[Found]:
    from rapidfuzz import fuzz, process

    if len(argument.choices) > MOST_COMPARED:
        return []
    words = {str(choice).lower(): choice for choice in argument.choices if len(str(choice)) >= 4}
    found: list[Found] = []
    for match in _WORD.finditer(reading.text):
        best = process.extractOne(match.group().lower(), words.keys(), scorer=fuzz.ratio, score_cutoff=86)
        if best and len(match.group()) >= 4:
            found.append(Found(words[best[0]], match.start(), match.end(), "near miss in spelling"))
    return found


def _arrays(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    item = argument.item
    depth = 0
    inner = argument
    while inner.item is not None:
        depth, inner = depth + 1, inner.item
    literals = [found for found in reading.literals if isinstance(found.value, list)]
    if depth > 1 or item is None or item.kind is Kind.OBJECT:
        return [_deepened(found, depth) for found in literals]
    flat = [found for found in literals if _depth(found.value) == 1]
    loose = [found for found in candidates(item, reading, strategy) if not found.within(flat)]
    return flat + chains(reading.text, loose)


def _deepened(found: Found, depth: int) -> Found:
    """A literal that lacks outer brackets ("[[1, 2]]" where a list of matrices is asked) is wrapped."""
    value = found.value
    for _ in range(max(0, depth - _depth(value))):
        value = [value]
    return found._replace(value=value)


def _depth(value: Json) -> int:
    return 1 + max((_depth(item) for item in value), default=0) if isinstance(value, list) else 0


def _numbers(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    whole = argument.kind is Kind.INTEGER
    found = [number for number in reading.numbers if not whole or isinstance(number.value, int)]
    return [number for number in found if not number.within(reading.literals)]


def _booleans(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    label = r"[\s_-]+".join(map(re.escape, argument.label.split()))
    stated = re.compile(
        rf"(?<!\w){label}(?:\s*[:=]|\s+(?:is|to|set to))?\s*(?:(?:turned|switched)\s+)?(\w+)", re.IGNORECASE
    )
    states = [(m, _STATES.get(m[1].lower())) for m in stated.finditer(reading.text)]
    found = [Found(state, m.start(1), m.end(1), f"named {label!r}") for m, state in states if state is not None]
    for word, value in (("with", True), ("including", True), ("without", False), ("no", False)):
        for m in re.finditer(rf"\b{word} (?:the )?{label}\b", reading.text, re.IGNORECASE):
            if not any(m.start() <= other.start <= m.end() + 20 for other in found):
                found.append(Found(value, m.start(), m.end(), f"'{m.group()}'"))
    return found


def _named(argument: Argument, reading: Reading) -> list[Found]:
    return [found for found in named_in(reading.text, argument.label) if not found.within(reading.quoted)]


def _times(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    seconds = argument.hints.time_format in {"HH:MM:SS"}
    return [
        found._replace(value=f"{found.value}:00") if seconds and len(str(found.value)) == 5 else found
        for found in reading.times
    ]


def _datetimes(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    joined = [
        Found(f"{day.value}T{clock.value}:00", day.start, clock.end, "date and time")
        for day in reading.dates
        for clock in reading.times
        if 0 <= clock.start - day.end <= 4
    ]
    alone = [day for day in reading.dates if not day.within(joined)]
    return reading.datetimes + joined + alone


def _units(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    spellings = sorted(unit_index(), key=len, reverse=True)
    pattern = re.compile(rf"(?<![A-Za-z'’])(?:{'|'.join(map(re.escape, spellings))})(?![\w/'’])", re.IGNORECASE)
    found = [Found(m.group(), m.start(), m.end(), "unit") for m in pattern.finditer(reading.text)]
    found = [unit for unit in found if _is_unit(unit, reading.text)]
    return found or _named(argument, reading)


def _is_unit(unit: Found, text: str) -> bool:
    """Short symbols count in their own case only, and the word "in" only after a number."""
    word = str(unit.value)
    if word == "in":
        return text[: unit.start].rstrip()[-1:].isdigit()
    return len(word) > 2 or word == symbol_of(word)


def _texts(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    quoted = list(reading.quoted)
    named = _named(argument, reading)
    if quoted or named or not strategy.remainder:
        return quoted + named
    body = _remainder(reading.text)
    return [body] if body.value else []


def _remainder(text: str) -> Found:
    end = _CLOSING.search(text)
    stop = end.start() if end else len(text)
    opening = _OPENING.match(text)
    start = opening.end() if opening else 0
    return Found(text[start:stop].strip(), start, stop, REMAINDER)


def _identifiers(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    return reading.identifiers + reading.quoted + _named(argument, reading)


def _paths(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    return reading.paths + [found for found in reading.quoted if not found.within(reading.paths)]


def _objects(argument: Argument, reading: Reading, strategy: Strategy) -> list[Found]:
    return [found for found in reading.literals if isinstance(found.value, dict)]


_BY_KIND: dict[Kind, Callable[[Argument, Reading, Strategy], list[Found]]] = {
    Kind.BOOLEAN: _booleans,
    Kind.INTEGER: _numbers,
    Kind.NUMBER: _numbers,
    Kind.OBJECT: _objects,
    Kind.DATE: lambda argument, reading, strategy: reading.dates,
    Kind.TIME: _times,
    Kind.DATETIME: _datetimes,
    Kind.ZONE: lambda argument, reading, strategy: reading.zones,
    Kind.EXPRESSION: lambda argument, reading, strategy: reading.expressions,
    Kind.UNIT: _units,
    Kind.EMAIL: lambda argument, reading, strategy: reading.emails,
    Kind.URL: lambda argument, reading, strategy: reading.urls,
    Kind.PATH: _paths,
    Kind.IDENTIFIER: _identifiers,
    Kind.TEXT: _texts,
}
