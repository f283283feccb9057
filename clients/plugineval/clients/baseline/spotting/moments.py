"""Times of day and dates in a text. Clock idioms are read here; dates in prose go to dateparser, where a cue stands."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from typing import cast

from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.numbers import numbers_in
from plugineval.clients.baseline.words import each_word

_HOURS = each_word("one two three four five six seven eight nine ten eleven twelve")
_MINUTES = {"five": 5, "ten": 10, "a quarter": 15, "quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30}
_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_PART = r"(?P<part>\s*(?:a\.?m\b\.?|p\.?m\b\.?)|\s+in the (?:morning|afternoon|evening)|\s+at night)"
_DIGITAL = re.compile(
    rf"(?<![\d:T.])(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d))?(?![\d:]){_PART}?", re.IGNORECASE
)
_HOURLY = re.compile(rf"(?<![\w:.,-]){_HOUR}(?:\s+o['’]?clock)?{_PART}", re.IGNORECASE)
_IDIOM = re.compile(rf"\b(?P<minute>{'|'.join(_MINUTES)}) (?P<side>past|to) {_HOUR}\b{_PART}?", re.IGNORECASE)
_NAMED = re.compile(r"(?<!after)\b(?P<name>noon|midday|midnight)\b", re.IGNORECASE)

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_COUNT = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen"
    r"|(?:twenty|thirty|forty|fifty)(?:-\w+)?)"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ISO = re.compile(r"(?<![\d-])(\d{4}-\d{2}-\d{2})(?![\d-])(?!T)")
_ISO_FULL = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)")
_PROSE = re.compile(
    rf"\b(?:the day after tomorrow|the day before yesterday|tomorrow|today|yesterday"
    rf"|in {_COUNT} (?:day|week|month|year)s?(?: time)?|{_COUNT} (?:day|week|month|year)s? (?:ago|from now)"
    rf"|(?:next|last|this|on) {_DAY}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? \d{{4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?"
    rf"|\d{{1,2}}/\d{{1,2}}/\d{{4}})\b",
    re.IGNORECASE,
)


def times_in(text: str) -> list[Found]:
    """Times of day as `HH:MM` (`HH:MM:SS` where seconds are written), in the order of the text."""
    found: list[Found] = []
    for pattern, read in ((_DIGITAL, _digital), (_IDIOM, _idiom), (_HOURLY, _hourly), (_NAMED, _named)):
        for match in pattern.finditer(text):
            clock = Found(read(match), match.start(), match.end(), "time of day")
            if not clock.within(found):
                found.append(clock)
    return sorted(found, key=lambda clock: clock.start)


def _hour24(hour: int, part: str | None) -> int:
    half = (part or "").strip().lower().replace(".", "")
    if half in {"pm", "in the afternoon", "in the evening"} or (half == "at night" and 6 <= hour < 12):
        return hour % 12 + 12
    return hour % 12 if half else hour


def _digital(match: re.Match[str]) -> str:
    hour = _hour24(int(match["h"]), match["part"])
    return f"{hour:02d}:{match['m']}" + (f":{match['s']}" if match["s"] else "")


def _spoken_hour(match: re.Match[str]) -> int:
    hour = match["hour"].lower()
    return int(hour) if hour.isdigit() else _HOURS.index(hour) + 1


def _hourly(match: re.Match[str]) -> str:
    return f"{_hour24(_spoken_hour(match), match['part']):02d}:00"


def _idiom(match: re.Match[str]) -> str:
    minutes = _MINUTES[match["minute"].lower()]
    total = _hour24(_spoken_hour(match), match["part"]) * 60
    total += minutes if match["side"].lower() == "past" else -minutes
    return f"{total // 60 % 24:02d}:{total % 60:02d}"


def _named(match: re.Match[str]) -> str:
    return "00:00" if match["name"].lower() == "midnight" else "12:00"


def datetimes_in(text: str) -> list[Found]:
    """Full ISO 8601 timestamps as written."""
    return [Found(m[1], m.start(), m.end(), "timestamp in the text") for m in _ISO_FULL.finditer(text)]


def dates_in(text: str, now: datetime | None) -> list[Found]:
    """Dates as `YYYY-MM-DD`. A date that depends on the clock is read only where `now` is known."""
    found = [Found(m[1], m.start(), m.end(), "date in the text") for m in _ISO.finditer(text)]
    for match in _PROSE.finditer(text):
        day = _read(match.group(), now)
        if day is not None:
            found.append(Found(day.date().isoformat(), match.start(), match.end(), "date read with the clock"))
    return sorted(found, key=lambda date: date.start)


@cache
def _parser() -> Callable[..., datetime | None]:
    return cast("Callable[..., datetime | None]", import_module("dateparser").parse)


def _with_digits(phrase: str) -> str:
    """Dateparser reads number words up to twelve only."""
    for number in reversed(numbers_in(phrase)):
        phrase = f"{phrase[: number.start]}{number.value}{phrase[number.end :]}"
    return phrase


def _read(phrase: str, now: datetime | None) -> datetime | None:
    if now is None and not re.search(r"\d{4}", phrase):
        return None
    clock = (now or datetime(2000, 1, 1)).replace(tzinfo=None)
    words = phrase.lower().removesuffix(" time")
    words = re.sub(r"^on ", "", _with_digits(words))
    if words == "the day before yesterday":
        return clock - timedelta(days=2)
    settings = {"RELATIVE_BASE": clock, "PREFER_DATES_FROM": "future", "RETURN_AS_TIMEZONE_AWARE": False}
    return _parser()(words.removeprefix("this "), languages=["en"], settings=settings)
