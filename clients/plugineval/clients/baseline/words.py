"""Words as the baseline compares them: identifiers are split, common words dropped, the rest reduced to stems."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import Protocol, cast


def each_word(text: str) -> tuple[str, ...]:
    """The words of a word list."""
    return tuple(text.split())


def each_phrase(text: str) -> tuple[str, ...]:
    """The phrases of a list that `|` separates."""
    return tuple(text.split("|"))


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STOP = frozenset(
    each_word(
        "a an the this that these those of for to from in on at by with and or as is are was be been being do does "
        "did can could would should will may might must please i me my you your it its we our us they them their "
        "there here what which who whom how when where why if then than so such not no any all some each per into "
        "onto out up down over need want like let go have has had just only also too very more most other another "
        "about using use used via e g now right currently ve ll re don isn eg etc ie"
    )
)
_SEPARATORS = str.maketrans("", "", "_-/")
_LONG_FORMS = {
    "expr": "expression",
    "tz": "timezone",
    "msg": "message",
    "num": "number",
    "qty": "quantity",
    "repo": "repository",
    "dir": "directory",
    "src": "source",
    "dst": "destination",
    "dest": "destination",
    "lang": "language",
    "addr": "address",
    "temp": "temperature",
    "var": "variable",
    "desc": "description",
    "op": "operation",
    "lat": "latitude",
    "lon": "longitude",
    "lng": "longitude",
    "max": "maximum",
    "min": "minimum",
}


class _Stemmer(Protocol):
    def stemWord(self, word: str, /) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    make = cast("Callable[[str], _Stemmer]", import_module("snowballstemmer").stemmer)
    return make("english")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of one lower-case word."""
    return _stemmer().stemWord(word)


def tokens(text: str) -> list[str]:
    """Lower-case words of prose or of an identifier (`fromUnit`, `from_unit` -> `from`, `unit`)."""
    return [found.lower() for found in _WORD.findall(text)]


@lru_cache(maxsize=4_096)
def stems(text: str) -> tuple[str, ...]:
    """Stems of the words that carry meaning, in order, repeats kept."""
    return tuple(stem(_LONG_FORMS.get(word, word)) for word in tokens(text) if word not in _STOP and len(word) > 1)


@lru_cache(maxsize=4_096)
def label(name: str) -> str:
    """An identifier as a person would say it: `source_tz` -> `source timezone`."""
    return " ".join(_LONG_FORMS.get(word, word) for word in tokens(name)) or name


def function_word(word: str) -> bool:
    """Whether `word` only holds a sentence together, so that it cannot be a value."""
    return word.lower().strip(".,'") in _STOP or word.lower() in {
        "same",
        "usual",
        "always",
        "again",
        "while",
        "because",
    }


def squeezed(text: str) -> str:
    """`text` without case, spaces and separators: how spellings of one value are compared."""
    return "".join(text.split()).translate(_SEPARATORS).casefold()


def clause(text: str, *, words: int = 14) -> str:
    """The first clause of a description: up to a sentence end, colon, bracket or dash, at most `words` words."""
    first = re.split(r"[:;(\n]|\s[-–—]\s|[.!?](?:\s|$)", text.strip(), maxsplit=1)[0]
    return " ".join(first.split()[:words]).strip(" ,.")
