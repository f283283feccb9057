"""What a place says of the time it takes: whether it takes one at all, of which kind, in which notation and unit.

Read from the argument's name, description, `format` and `pattern`, once per place.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.lengths import UNITS
from plugineval.harness.equivalence.rules.temporal.notations import documented_orders
from plugineval.harness.equivalence.verdicts import Place


class Traits(NamedTuple):
    """What a place's schema tells of time."""

    never: bool
    """Text, patterns, identifiers: what looks like a time there is none."""
    moment: bool
    """It takes a date, a time of day or both."""
    named: bool
    """Its name or format says so, not only a word of its description."""
    calendar: bool
    """Its name asks for a year, a month, a day or an instant, so that numbers there differ in time."""
    length: bool
    zone: bool
    day_only: bool
    """It takes a date and no time of day."""
    orders: frozenset[str]
    """Documented orders of day, month and year."""
    utc: bool
    """Times without an offset are documented as UTC."""
    epoch: bool
    unit: str
    """Unit of a bare number, by its name in `lengths`; empty where unknown."""
    clock_length: str
    """Documented reading of 1:30 as a length: `h:mm`, `m:ss` or empty."""


_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NEVER = {
    "id", "ids", "uuid", "code", "codes", "number", "no", "phone", "zip", "postcode", "price", "cost", "amount",
    "version", "ratio", "signature", "format", "type", "cron", "expression", "pattern", "regex", "token", "key",
    "body", "content", "message", "query", "subject", "comment", "note", "notes", "sql", "path", "file",
    "filename", "url", "uri", "link", "image", "command", "script", "html", "markdown", "summary", "prompt",
    "text", "description", "score", "isbn", "ip", "port", "tag", "tags", "branch", "release", "sku", "serial",
    "hash", "ref", "slug", "build", "q", "keyword", "keywords", "search", "topic", "input", "reason", "address",
    "location", "city", "place", "street", "password", "username", "user", "email"
}  # fmt: skip
_NAMES = {"name", "title", "label"}
_MOMENT_NAMES = {
    "date", "dates", "day", "days", "when", "due", "deadline", "dob", "birthday", "birthdate", "timestamp",
    "datetime", "time", "times", "checkin", "checkout", "month", "weekday", "year", "quarter", "period", "until",
    "since", "expiry", "expires", "expiration", "departure", "arrival", "alarm", "schedule", "scheduled", "hour",
    "clock", "at"
}  # fmt: skip
_CALENDAR_NAMES = {
    "date", "year", "month", "day", "hour", "timestamp", "epoch", "weekday", "quarter", "datetime"
}  # fmt: skip
_ZONE_NAMES = {"tz", "timezone", "timezones", "zone", "tzid"}
_LENGTH_NAMES = {
    "duration", "durations", "timeout", "interval", "delay", "ttl", "length", "elapsed", "lifetime", "countdown",
    "timer"
}  # fmt: skip
_MOMENT_WORDS = re.compile(
    r"\b(?:dates?|datetime|date-?time|timestamps?|deadline|iso[\s-]?8601|rfc[\s-]?(?:3339|2822)|y{2,4}[-/. ]?m+|"
    r"hh?:mm|24-hour|12-hour|time of (?:the )?day|when|epoch|unix time|day|weekday|month|year|quarter|time)\b",
    re.IGNORECASE,
)
_CLOCK_WORDS = re.compile(
    r"\b(?:date-?time|timestamp|time|hours?|hh|clock|rfc[\s-]?(?:3339|2822)|epoch|instant|moment)\b", re.IGNORECASE
)
_DAY_WORDS = re.compile(r"\b(?:dates?|days?|y{4}[-/. ]m{2}[-/. ]d{2})\b", re.IGNORECASE)
_ZONE_WORDS = re.compile(r"\btime ?-?zones?\b|\biana\b|\butc offset\b", re.IGNORECASE)
_LENGTH_WORDS = re.compile(
    r"\b(?:durations?|length of (?:the )?\w+|how long|timeout|interval|iso 8601 duration|pt?\d+[hms]|time limit"
    r"|(?:amount|period) of time|cooking time|countdown)\b",
    re.IGNORECASE,
)
_IN_UNIT = re.compile(
    r"\b(?:in|number of|measured in|unit:?)\s+(?:whole\s+|full\s+)?(milliseconds|seconds|minutes|hours|days|weeks"
    r"|months|years|secs|mins|hrs|ms)\b",
    re.IGNORECASE,
)
_EPOCH = re.compile(r"\b(?:epoch|unix|timestamp)", re.IGNORECASE)
_UTC = re.compile(r"\b(?:in|as|is|are|,|\(|always)\s*(?:utc|gmt)\b|\butc (?:date|time|timestamp)", re.IGNORECASE)


def traits_of(place: Place) -> Traits:
    """The traits of a place."""
    pattern = place.node.schema.get("pattern")
    return _traits(place.name, place.description, place.format, pattern if isinstance(pattern, str) else "")


@lru_cache(maxsize=4_096)
def _traits(name: str, description: str, format_: str, pattern: str) -> Traits:
    tokens = [token.lower() for token in _TOKEN.findall(name)]
    declared = format_ in {"date", "date-time", "time"}
    zone = bool(_ZONE_NAMES & set(tokens)) or bool(_ZONE_WORDS.search(description) and not declared)
    moment = declared or bool(_MOMENT_NAMES & set(tokens)) or bool(_MOMENT_WORDS.search(description))
    unit = _unit(tokens, description)
    return Traits(
        never=not (declared or zone) and _never(tokens, moment=bool(_MOMENT_NAMES & set(tokens))),
        moment=moment and not (zone and not declared and not _MOMENT_NAMES & set(tokens) - {"time"}),
        named=declared or bool(_MOMENT_NAMES & set(tokens)),
        calendar=declared or (bool(tokens) and tokens[-1] in _CALENDAR_NAMES and not unit),
        length=format_ == "duration"
        or bool(_LENGTH_NAMES & set(tokens))
        or bool(unit)
        or bool(_LENGTH_WORDS.search(description)),
        zone=zone,
        day_only=_day_only(tokens, description, format_),
        orders=documented_orders(description, pattern),
        utc=bool(_UTC.search(description)) or "utc" in tokens,
        epoch=bool(_EPOCH.search(name) or _EPOCH.search(description)),
        unit=unit,
        clock_length=_clock_length(description),
    )


def _never(tokens: list[str], *, moment: bool) -> bool:
    last = tokens[-1] if tokens else ""
    return last in _NEVER or (not moment and bool((_NEVER | _NAMES) & set(tokens)))


def _day_only(tokens: list[str], description: str, format_: str) -> bool:
    if format_:
        return format_ == "date"
    words = " ".join(tokens) + " " + description
    return bool(_DAY_WORDS.search(words)) and not _CLOCK_WORDS.search(words)


def _unit(tokens: list[str], description: str) -> str:
    spelled = [UNITS[token] for token in tokens if len(token) > 2 and token.endswith("s") and token in UNITS]
    found = _IN_UNIT.search(description)
    if tokens and tokens[-1] in {"ms", "sec", "min", "hr"}:
        return UNITS[tokens[-1]]
    return spelled[-1] if spelled else UNITS[found[1].lower()] if found else ""


def _clock_length(description: str) -> str:
    text = description.lower()
    if re.search(r"\bh?h:mm\b(?!:)", text):
        return "h:mm"
    return "m:ss" if re.search(r"(?<!:)\bm?m:ss\b", text) else ""
