"""Times of day: 14:30, 2:30 PM, half past two, noon. Without am or pm, words keep both halves of the day open."""

import re
from collections.abc import Callable, Iterator
from datetime import time
from functools import lru_cache
from typing import NamedTuple


class ClockText(NamedTuple):
    """The times a text may mean, by the half of the day it supposes (one, under "", where the text is plain)."""

    times: dict[str, time]
    """Empty: written like a time, and no clock shows it."""
    evident: bool
    next_day: bool = False
    """24:00, the end of the day."""


_HALF = r"(?:\s*(?P<half>a\.?m\.?|p\.?m\.?|noon|in the morning|in the afternoon|in the evening|at night|tonight))?"
_OCLOCK = r"(?:\s*(?:o'?\s?clock|sharp))?"
_NOON = {"noon": time(12), "midday": time(12), "12 noon": time(12), "12 midday": time(12)}
_MIDNIGHT = {"midnight", "12 midnight"}


@lru_cache(maxsize=16_384)
def read_clock(text: str) -> ClockText | None:
    """The times `text` (in normal spelling) may mean; None where it is not written like one."""
    if text in _NOON:
        return ClockText({"": _NOON[text]}, evident=True)
    if text in _MIDNIGHT:
        return ClockText({"": time(0)}, evident=True)
    for pattern, reader in _NOTATIONS:
        found = pattern.fullmatch(text)
        read = reader(found) if found else None
        if read is not None:
            return read
    return None


def _plain(found: re.Match[str]) -> ClockText:
    parts = found.groupdict()
    fraction = int((parts.get("f") or "0")[:6].ljust(6, "0"))
    hour, minute, second = (int(parts.get(name) or 0) for name in ("h", "m", "s"))
    if parts.get("half"):
        return _with_half(hour, minute, second, parts["half"])
    if (hour, minute, second, fraction) == (24, 0, 0, 0):
        return ClockText({"": time(0)}, evident=False, next_day=True)
    return _clock({"": (hour, minute, second, fraction)}, evident=parts.get("s") is not None)


def _spoken(found: re.Match[str]) -> ClockText | None:
    hour = int(found["h"])
    if found["half"]:
        return _with_half(hour, 0, 0, found["half"])
    if hour > 24 and not found["spoken"]:
        return None
    return _both_halves(hour, 0)._replace(evident=bool(found["spoken"]))


def _past(found: re.Match[str]) -> ClockText:
    amount = found["amount"]
    minutes = {"half": 30, "quarter": 15, "a quarter": 15}.get(amount) or int(amount.split()[0])
    hour = int(found["h"])
    if found["way"] in {"to", "before", "till"}:
        hour, minutes = (hour - 1) or 12, 60 - minutes
    half = found["half"]
    return _with_half(hour, minutes, 0, half) if half else _both_halves(hour, minutes)


def _both_halves(hour: int, minute: int) -> ClockText:
    if not 1 <= hour <= 12:
        return _clock({"": (hour, minute, 0, 0)}, evident=True)
    return _clock({"am": (hour % 12, minute, 0, 0), "pm": (hour % 12 + 12, minute, 0, 0)}, evident=True)


def _with_half(hour: int, minute: int, second: int, half: str) -> ClockText:
    if hour > 12:
        return _clock({"": (hour, minute, second, 0)}, evident=True)
    morning = half.startswith("a") or half.endswith("morning")
    # "12 at night" and "2 at night" are early hours, "9 at night" is late.
    late = half.endswith("night") and 5 <= hour < 12
    afternoon = half.startswith("p") or half.endswith(("noon", "evening")) or late
    return _clock({"": (hour % 12 + (12 if afternoon and not morning else 0), minute, second, 0)}, evident=True)


def _clock(found: dict[str, tuple[int, int, int, int]], *, evident: bool) -> ClockText:
    try:
        times = {half: time(*parts) for half, parts in found.items()}
    except ValueError:
        times = {}
    return ClockText(times, evident)


def _notations() -> Iterator[tuple[str, Callable[[re.Match[str]], ClockText | None]]]:
    yield r"t?(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?)?\s?h?(?:rs|ours)?" + _HALF, _plain
    yield r"t?(?P<h>\d{2})(?P<m>\d{2})(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?", _plain
    yield r"t?(?P<h>\d{2})(?P<m>\d{2})(?:\s*h(?:rs|ours)?)?", _plain
    yield r"(?P<h>\d{1,2})\s?h\s?(?P<m>\d{2})?", _plain
    yield r"(?P<h>\d{1,2})[. ](?P<m>\d{2})" + _HALF, _plain
    yield r"(?P<h>\d{1,2})\s*(?P<half>a\.?m\.?|p\.?m\.?)", _plain
    yield r"(?P<h>\d{1,2})(?P<spoken>(?:\s*(?:o'?\s?clock|sharp))?)" + _HALF, _spoken
    amount = r"(?P<amount>half|(?:a )?quarter|\d{1,2}(?: min(?:ute)?s?)?)"
    yield amount + r"\s(?P<way>past|after|to|before|till)\s(?P<h>\d{1,2})" + _OCLOCK + _HALF, _past


_NOTATIONS = tuple((re.compile(pattern), reader) for pattern, reader in _notations())
