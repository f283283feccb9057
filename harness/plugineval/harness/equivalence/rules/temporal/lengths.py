"""Lengths of time: PT1H30M, 90 minutes, 1h30m, an hour and a half, 01:30:00, or a number whose unit is known elsewhere.

A day is 24 hours here; months have no fixed length, so they are kept apart from seconds.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple


class Length(NamedTuple):
    """Whole and partial months, and seconds."""

    months: Fraction
    seconds: Fraction

    def extent(self) -> tuple[Fraction, Fraction]:
        """The fewest and the most seconds it can last."""
        fewest, most = Fraction(28 * 86_400), Fraction(31 * 86_400)
        return self.seconds + self.months * fewest, self.seconds + self.months * most


class LengthText(NamedTuple):
    """The lengths a text may mean, by the convention it supposes (1:30 is minutes or hours)."""

    readings: dict[str, Length]
    evident: bool


SECONDS = {
    "millisecond": Fraction(1, 1000), "second": Fraction(1), "minute": Fraction(60), "hour": Fraction(3600),
    "day": Fraction(86_400), "week": Fraction(604_800), "fortnight": Fraction(1_209_600),
}  # fmt: skip
MONTHS = {"month": Fraction(1), "quarter": Fraction(3), "year": Fraction(12), "decade": Fraction(120)}
_SHORT = {
    "ms": "millisecond", "msec": "millisecond", "s": "second", "sec": "second", "m": "minute", "min": "minute",
    "h": "hour", "hr": "hour", "d": "day", "w": "week", "wk": "week", "mo": "month", "mth": "month", "mon": "month",
    "y": "year", "yr": "year",
} | {unit: unit for unit in (*SECONDS, *MONTHS)}  # fmt: skip
UNITS = _SHORT | {f"{name}s": unit for name, unit in _SHORT.items() if len(name) > 1}
"""Spellings of a unit, to its name."""
_BARE_LETTERS = {"s", "m", "d", "w", "y"}
"""Units that are also metres, seconds of arc or anything else, unless the argument speaks of time."""

_NUMBER = r"\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:[.,]\d+)?(?:\s+\d+/[1-9]\d*)?|\d+/[1-9]\d*"
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
_PART = re.compile(rf"(?P<n>{_NUMBER})[\s-]*(?P<unit>{_UNIT})(?![a-z])(?:\.|,)?\s*(?:and\s+)?")
_TAIL = re.compile(r"(?P<n>\d{1,2})")
_CLOCK = re.compile(r"(?P<a>\d{1,3}):(?P<b>\d{2})(?::(?P<c>\d{2})(?:\.(?P<f>\d+))?)?")
_N = r"(?:(\d+(?:[.,]\d+)?){})?"
_ISO = re.compile(
    "p(?=[0-9t])" + "".join(map(_N.format, "ymwd")) + "(?:t(?=[0-9])" + "".join(map(_N.format, "hms")) + ")?"
)
_ISO_UNITS = ("year", "month", "week", "day", "hour", "minute", "second")
_HALVES = (
    (re.compile(r"^(?:an?|1)\s+(?P<u>[a-z]+)\s+and\s+(?:an?\s+)?half$"), r"1.5 \g<u>"),
    (re.compile(r"^(?P<n>\d+)\s+and\s+(?:an?\s+)?half\s+(?P<u>[a-z]+)$"), r"\g<n>.5 \g<u>"),
    (re.compile(r"^(?P<n>\d+)\s+(?P<u>[a-z]+)\s+and\s+(?:an?\s+)?half$"), r"\g<n>.5 \g<u>"),
    (re.compile(r"^(?:an?\s+)?half\s+(?:an?\s+)?(?:of\s+an?\s+)?(?P<u>[a-z]+)$"), r"0.5 \g<u>"),
    (re.compile(r"^(?:an?\s+)?quarter\s+(?:of\s+)?an?\s+(?P<u>[a-z]+)$"), r"0.25 \g<u>"),
    (re.compile(r"^3\s+quarters\s+of\s+an?\s+(?P<u>[a-z]+)$"), r"0.75 \g<u>"),
    (re.compile(r"^(?:an?|a couple of)\s+(?=[a-z])"), "1 "),
)


def of(amount: Fraction, unit: str) -> Length:
    """`amount` of the unit, by its name in `SECONDS` or `MONTHS`."""
    if unit in MONTHS:
        return Length(amount * MONTHS[unit], Fraction(0))
    return Length(Fraction(0), amount * SECONDS[unit])


@lru_cache(maxsize=16_384)
def read_length(text: str) -> LengthText | None:
    """The lengths `text` (in normal spelling) may mean; None where it is not written like one."""
    found = _ISO.fullmatch(text)
    if found:
        parts = zip(found.groups(), _ISO_UNITS, strict=True)
        return LengthText({"": _sum(of(_fraction(n), unit) for n, unit in parts if n)}, evident=True)
    clock = _CLOCK.fullmatch(text)
    return _like_a_clock(clock) if clock else _in_parts(_without_halves(text))


def _without_halves(text: str) -> str:
    if text.startswith("a couple of "):
        return "2 " + text.removeprefix("a couple of ")
    for pattern, plain in _HALVES:
        text, count = pattern.subn(plain, text)
        if count:
            break
    return text


def _in_parts(text: str) -> LengthText | None:
    parts: list[Length] = []
    evident, last = True, ""
    found = _PART.match(text)
    position = 0
    while found:
        last, position = UNITS[found["unit"]], found.end()
        parts.append(of(_fraction(found["n"]), last))
        evident = evident and found["unit"] not in _BARE_LETTERS
        found = _PART.match(text, position)
    tail = _TAIL.fullmatch(text, position) if last in {"hour", "minute"} else None
    if tail:
        parts.append(of(Fraction(tail["n"]), "minute" if last == "hour" else "second"))
    elif position < len(text) or not parts:
        return None
    return LengthText({"": _sum(parts)}, evident=evident or len(parts) > 1)


def _like_a_clock(found: re.Match[str]) -> LengthText | None:
    first, second = Fraction(found["a"]), Fraction(found["b"])
    if found["c"]:
        seconds = Fraction(f"{found['c']}.{found['f'] or 0}")
        return LengthText({"": _sum((of(first, "hour"), of(second, "minute"), of(seconds, "second")))}, evident=False)
    hours = _sum((of(first, "hour"), of(second, "minute")))
    return LengthText({"h:mm": hours, "m:ss": _sum((of(first, "minute"), of(second, "second")))}, evident=False)


def _sum(parts: Iterable[Length]) -> Length:
    found = tuple(parts)
    return Length(sum((p.months for p in found), Fraction(0)), sum((p.seconds for p in found), Fraction(0)))


def _fraction(text: str) -> Fraction:
    if _THOUSANDS.fullmatch(text):
        return Fraction(text.replace(",", ""))
    whole, _, part = text.replace(",", ".").rpartition(" ")
    return (Fraction(whole) if whole else Fraction(0)) + Fraction(part)
