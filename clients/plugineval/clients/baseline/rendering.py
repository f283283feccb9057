"""How a person may say a value: as written, or in words that take one step of inference to read (P26).

The writer picks from these surfaces, and the argument evaluator looks for them in the query. The extractor reads
texts the other way round, with its own patterns, so that one cannot cover for a mistake of the other.
"""

from datetime import date, datetime
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, Kind
from plugineval.clients.baseline.lexicon import category_of, synonyms
from plugineval.clients.baseline.spotting.zones import cities
from plugineval.clients.baseline.words import each_word
from plugineval.pccf.values import Json, canonical_json

_ONES = each_word(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = each_word("_ _ twenty thirty forty fifty sixty seventy eighty ninety")
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}


class Surface(NamedTuple):
    """One way to say a value; `step` is the inference that leads back to it, None where there is none."""

    text: str
    step: str | None = None


def spell(number: int) -> str | None:
    """`number` in words, for 0 to 999,999."""
    if not 0 <= number < 1_000_000:
        return None
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    unit, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = number % unit
    return f"{spell(number // unit)} {name}" + (f" {spell(rest)}" if rest else "")


def surfaces(argument: Argument, value: Json, now: datetime | None) -> tuple[Surface, ...]:
    """All ways to say `value` of `argument`; the ones that need no inference come first."""
    if isinstance(value, bool) or value is None:
        return (Surface(str(value).lower()),)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        return _list(argument, value, now)
    if isinstance(value, dict):
        return (Surface(canonical_json(value)), Surface(_spaced_json(value)))
    return _string(argument, value, now)


def _number(value: float) -> tuple[Surface, ...]:
    whole = float(value).is_integer()
    digits = str(int(value)) if whole else repr(float(value))
    found = [Surface(digits)]
    if whole and abs(value) >= 1000:
        found.append(Surface(f"{int(value):,}"))
    words = spell(int(value)) if whole and value >= 2 else None
    if words:
        found.append(Surface(words, f"'{words}' is the number {digits}"))
    return tuple(found)


def _list(argument: Argument, value: list[Json], now: datetime | None) -> tuple[Surface, ...]:
    if not value or any(isinstance(item, list | dict) for item in value):
        return (Surface(_spaced_json(value)), Surface(canonical_json(value)))
    item = argument.item or argument
    options = [surfaces(item, each, now) for each in value]
    plain = Surface(joined([each[0].text for each in options]))
    inferred = [next((each for each in option if each.step), None) for option in options]
    if any(each is None for each in inferred) or item.kind is Kind.EXPRESSION:
        return (plain, Surface(_spaced_json(value)))
    words = joined([each.text for each in inferred if each])
    return (plain, Surface(_spaced_json(value)), Surface(words, f"'{words}' is the list {canonical_json(value)}"))


def joined(items: list[str]) -> str:
    """As in `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _spaced_json(value: Json) -> str:
    return canonical_json(value).replace(",", ", ").replace(":", ": ")


def _string(argument: Argument, value: str, now: datetime | None) -> tuple[Surface, ...]:
    ways: list[Surface] = []
    match argument.kind:
        case Kind.TIME:
            ways = _clock(value)
        case Kind.DATE | Kind.DATETIME:
            ways = _day(value, now)
        case Kind.ZONE:
            ways = _city(value)
        case Kind.CHOICE:
            ways = _choice(value)
        case Kind.EXPRESSION:
            ways = _formula(value)
        case _:
            pass
    return (Surface(value), *ways)


def _clock(value: str) -> list[Surface]:
    parts = value.split(":")
    if len(parts) < 2 or not all(part.isdigit() for part in parts[:2]) or not 0 <= int(parts[0]) < 24:
        return []
    hour, minute = int(parts[0]), int(parts[1])
    half, twelve = ("am" if hour < 12 else "pm"), (hour % 12 or 12)
    step = f"is {value} on the 24-hour clock"
    texts = [f"{twelve}:{minute:02d} {half}", f"{twelve}:{minute:02d}{half}"]
    if minute == 0:
        texts = [
            f"{twelve} {half}",
            f"{twelve}{half}",
            *texts,
            f"{_ONES[twelve]} {_part(hour)}",
            f"{_ONES[twelve]} o'clock {_part(hour)}",
        ]
    idiom = {30: f"half past {_ONES[twelve]}", 15: f"quarter past {_ONES[twelve]}"}.get(minute)
    if minute == 45:
        idiom = f"quarter to {_ONES[twelve % 12 + 1]}"
        hour += 1
    if idiom and hour < 24:
        texts.insert(0, f"{idiom} {_part(hour)}")
    if value.startswith("12:00"):
        texts.append("noon")
    return [Surface(text, f"'{text}' {step}") for text in texts]


def _part(hour: int) -> str:
    if hour < 12:
        return "in the morning"
    return "in the afternoon" if hour < 18 else "in the evening"


def _day(value: str, now: datetime | None) -> list[Surface]:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return []
    month = day.strftime("%B")
    texts = [f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"]
    if now is not None:
        texts = [*_relative((day - now.date()).days), *texts, f"{day.day} {month}", f"{month} {day.day}"]
    return [Surface(text, f"'{text}' is {day.isoformat()}" + _asked(text, now)) for text in texts]


def _asked(text: str, now: datetime | None) -> str:
    return "" if now is None or any(char.isdigit() for char in text) else f", asked on {now.date().isoformat()}"


def _relative(days: int) -> list[str]:
    named = {0: "today", 1: "tomorrow", -1: "yesterday", 2: "the day after tomorrow"}
    texts = [named[days]] if days in named else []
    count = abs(days)
    for size, unit in ((7, "week"), (1, "day")):
        if count and count % size == 0 and count // size <= 60:
            amount = f"{spell(count // size)} {unit}" + ("s" if count != size else "")
            digits = f"{count // size} {unit}" + ("s" if count != size else "")
            texts += [f"in {amount}", f"in {digits}"] if days > 0 else [f"{amount} ago", f"{digits} ago"]
    return texts


def _city(value: str) -> list[Surface]:
    city = value.rsplit("/", 1)[-1].replace("_", " ")
    known = cities().get(city.lower()) == value
    return [Surface(city, f"'{city}' lies in the zone {value}")] if known else []


def _choice(value: str) -> list[Surface]:
    spaced = value.replace("_", " ").replace("-", " ")
    found = [Surface(spaced)] if spaced != value else []
    others = [word for word in synonyms(value) if value.lower() not in word.lower().split()]
    return found + [Surface(word, f"'{word}' means {value}") for word in others]


def _formula(value: str) -> list[Surface]:
    words: list[str] = []
    for part in value.split():
        word = _OPERATORS.get(part) or (spell(int(part)) if part.isdigit() else None)
        if word is None:
            return []
        words.append(word)
    text = " ".join(words)
    return [Surface(text, f"'{text}' is the expression {value}")]


def implied_category(argument: Argument, units: list[str]) -> str | None:
    """The choice of `argument` that names the quantity which all of `units` measure."""
    shared = [set(category_of(unit)) for unit in units]
    common = set[str].intersection(*shared) if shared else set[str]()
    for choice in argument.choices:
        if isinstance(choice, str) and choice.lower() in common:
            return choice
    return None
