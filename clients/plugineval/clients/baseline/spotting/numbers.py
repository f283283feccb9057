"""Numbers in a text: digits with signs, decimals and thousands, and numbers written as words (text2num)."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from plugineval.clients.baseline.spotting.found import Found

_DIGITS = re.compile(
    r"(?<![\w.:/])(?<![A-Za-z]-)[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d:/])(?!-\d)(?!\w*[\d_])"
)
_CUE = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy"
    r"|eighty|ninety|hundred|thousand|million|zero)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


class _Occurrence(Protocol):
    start: int
    end: int
    value: float
    text: str


class _Word:
    def __init__(self, match: re.Match[str]) -> None:
        self.match = match

    def text(self) -> str:
        return self.match.group().lower()

    def nt_separated(self, previous: "_Word") -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return False


@cache
def _finder() -> Callable[[Sequence[_Word], str, float], list[_Occurrence]]:
    return cast("Callable[[Sequence[_Word], str, float], list[_Occurrence]]", import_module("text_to_num").find_numbers)


def plain_number(value: float) -> int | float:
    """An int where nothing is lost by it."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else float(value)


def numbers_in(text: str) -> list[Found]:
    """All numbers, in the order of the text."""
    digits = [_digit(match) for match in _DIGITS.finditer(text)]
    words = [found for found in _spelled(text) if not found.within(digits)] if _CUE.search(text) else []
    return sorted(digits + words, key=lambda found: found.start)


def _digit(match: re.Match[str]) -> Found:
    plain = match.group().replace(",", "").replace("−", "-")
    return Found(plain_number(float(plain)), match.start(), match.end(), "digits")


def _spelled(text: str) -> list[Found]:
    words = [_Word(match) for match in _TOKEN.finditer(text)]
    spans = [(found, words[found.start : found.end]) for found in _finder()(words, "en", 2.0)]
    return [
        Found(plain_number(found.value), part[0].match.start(), part[-1].match.end(), "number in words")
        for found, part in spans
        if part and not found.text.endswith(("st", "nd", "rd", "th"))
    ]
