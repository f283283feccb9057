"""The part of a model's text in which it speaks: thoughts set aside, look-alike characters made plain."""

import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"```[ \t]*([\w-]*)[ \t]*\r?\n?(.*?)(?:```|\Z)", re.DOTALL)
_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_LOOKALIKES = str.maketrans({"｜": "|"})


class Passage(NamedTuple):
    """A stretch of text between two marks: what the opening mark matched, and the body."""

    opening: re.Match[str]
    body: str
    start: int
    end: int
    closed: bool
    """Whether the closing mark was there."""


def plain(text: str) -> str:
    """`text` with the full-width bars of some special tokens as ordinary ones; places stay the same."""
    return text.translate(_LOOKALIKES)


def spoken_part(text: str) -> str:
    """`text` without what the model thought aloud."""
    return _THINKING.sub(" ", text)


def passages(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> Iterator[Passage]:
    """Every stretch that `opening` begins; it ends at `closing`, at the next opening, or with the text."""
    found = opening.search(text)
    while found is not None:
        following = opening.search(text, found.end())
        limit = following.start() if following else len(text)
        close = closing.search(text, found.end(), limit)
        end = close.end() if close else limit
        yield Passage(
            found, text[found.end() : close.start() if close else limit], found.start(), end, close is not None
        )
        found = following
