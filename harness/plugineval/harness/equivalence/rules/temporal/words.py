"""The words time is written in, and the one spelling in which all readers meet them."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

_MONTH_NAMES = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december"
]  # fmt: skip
_WEEKDAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

MONTHS = {spelled: n for n, name in enumerate(_MONTH_NAMES, 1) for spelled in (name, name[:3])} | {"sept": 9}
"""Month numbers from 1."""
WEEKDAYS = {spelled: n for n, name in enumerate(_WEEKDAY_NAMES) for spelled in (name, name[:3])} | {
    "tues": 1, "weds": 2, "thur": 3, "thurs": 3
}  # fmt: skip
"""Weekday numbers from Monday = 0, as `date.weekday` counts."""

MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
WEEKDAY = "(?:" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + ")"

SPEAKS_OF_TIME = re.compile(
    rf"\d|\b(?:{MONTH}|{WEEKDAY}|now|today|tomorr?ow|tmrw?|yesterday|overmorrow|noon|midday|midnight|days?|week|weekend"
    r"|fortnight|months?|quarter|years?|decade|hour|minute|min|sec|half)\b"
)
"""What a text in normal spelling has if it is a time at all; the rest need not be read closer."""

_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|twentieth|thirtieth)\b"
)
_SECOND_OF_TIME = re.compile(rf"\bsecond\b(?!\s+(?:of\b|quarter\b|day\b|{WEEKDAY}\b|{MONTH}\b))")
_LEAD = re.compile(r"^(?:on|at|by|the)\s+")
_HALF = str.maketrans({"½": ".5", "¼": ".25", "¾": ".75", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2019": "'"})


@lru_cache(maxsize=16_384)
def normal(text: str) -> str:
    """`text` without differences that never matter: width, case, white space, number words, a leading "on" or "at"."""
    plain = unicodedata.normalize("NFKC", text.translate(_HALF)).casefold()
    plain = " ".join(plain.strip().strip("\"'").split())
    if _NUMBER_WORD.search(plain):
        plain = _in_digits(plain)
    return _LEAD.sub("", _LEAD.sub("", plain))


def _in_digits(text: str) -> str:
    # The library ships no types; its signature is alpha2digit(text, lang, threshold).
    alpha2digit: Callable[[str, str, float], str] = import_module("text_to_num").alpha2digit
    return alpha2digit(_SECOND_OF_TIME.sub("sec", text), "en", 0.0)


def day_of_ordinal(text: str) -> str:
    """`text` with 5th and 1st as 5 and 1."""
    return re.sub(r"\b(\d{1,2})(?:st|nd|rd|th)\b", r"\1", text)
