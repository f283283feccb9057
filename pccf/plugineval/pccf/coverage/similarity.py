"""The one named measure of how alike two texts are (D12): look-alike tools, near-duplicates, d_syn, auxiliary tags.

The mean of two cosines: over stems of the words that carry meaning, and over trigrams of letters. The first knows no
word order and no inflection, the second forgives spelling and sees the small words. On tools of real servers and on
pairs of requests the mean told alike from different better than either part, and better than token-set ratios, which
call a text equal to every longer one that holds it. It knows no synonyms, and it takes "remind" and "cancel the
reminder" for alike: it finds what is worth a look, it never judges arguments.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from sys import intern
from typing import NamedTuple, Protocol, cast


def each_word(text: str) -> frozenset[str]:
    """The words of a word list."""
    return frozenset(text.split())


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_SMALL = each_word(
    "a an the this that these those of for to from in on at by with and or as is are was be do does did can could "
    "would should will i me my you your it its we our us they them their there here what which who how when where "
    "why if then so not any all some please"
)


class Similarity(Protocol):
    """Symmetric; equal texts score 1."""

    @property
    def measure(self) -> str:
        """Name and version, recorded with every score."""
        ...

    def score(self, a: str, b: str) -> float:
        """How alike two texts are, in [0, 1]."""
        ...

    def nearest(self, text: str, others: Iterable[str], *, at_least: float) -> tuple[str, float] | None:
        """The most alike of `others` with its score, the first of equals; None where none reaches `at_least`."""
        ...


class _Vector(NamedTuple):
    """How often each part stands in a text, and the length of that as a vector."""

    counts: Mapping[str, int]
    length: float

    @classmethod
    def of(cls, parts: Iterable[str]) -> "_Vector":
        """Thousands of texts are kept, and share their parts: with one of each they take a third of the memory."""
        counts = Counter(map(intern, parts))
        return cls(dict(counts), math.sqrt(sum(count * count for count in counts.values())))


class _Vectors(NamedTuple):
    words: _Vector
    trigrams: _Vector


class LexicalSimilarity:
    """Implements `Similarity`; deterministic, without a model and without a network."""

    @property
    def measure(self) -> str:
        """Named after its parts, with the version of the stemmer that it rests on."""
        return f"stem-and-trigram-cosine/1 (snowballstemmer {_stemmer_version()})"

    def score(self, a: str, b: str) -> float:
        """1 for equal texts; texts without a word or digit are alike only if equal."""
        if a == b:
            return 1.0
        one, other = _vectors(a), _vectors(b)
        return _rounded((_cosine(one.words, other.words) + _cosine(one.trigrams, other.trigrams)) / 2)

    def nearest(self, text: str, others: Iterable[str], *, at_least: float) -> tuple[str, float] | None:
        """The same as by `score`; texts whose words alone rule them out are not looked at further."""
        own = _vectors(text)
        best: tuple[str, float] | None = None
        for other in others:
            needed = at_least if best is None else best[1]
            if text != other and (1 + _cosine(own.words, _vectors(other).words)) / 2 < needed - 1e-9:
                continue
            score = self.score(text, other)
            if score >= at_least and (best is None or score > best[1]):
                best = (other, score)
        return best


def stems(text: str) -> tuple[str, ...]:
    """Stems of the words of prose or of an identifier, small words left out unless there are no others."""
    words = [word.lower() for word in _WORD.findall(text)]
    told = [word for word in words if word not in _SMALL] or words
    return tuple(_stem(word) for word in told)


@lru_cache(maxsize=4_096)
def _vectors(text: str) -> _Vectors:
    plain = f" {' '.join(_WORD.findall(text))} ".lower()
    return _Vectors(_Vector.of(stems(text)), _Vector.of(plain[at : at + 3] for at in range(len(plain) - 2)))


def _cosine(a: _Vector, b: _Vector) -> float:
    few, many = a.counts, b.counts
    if len(few) > len(many):
        few, many = many, few
    shared = sum(count * many[part] for part, count in few.items() if part in many)
    return shared / (a.length * b.length) if shared else 0.0


def _rounded(score: float) -> float:
    """Free of the last bits of floating point, which would depend on the order of the texts."""
    return min(1.0, max(0.0, round(score, 9)))


class _Stemmer(Protocol):
    def stemWord(self, word: str, /) -> str: ...


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return _stemmer().stemWord(word)


@cache
def _stemmer() -> _Stemmer:
    make = cast("Callable[[str], _Stemmer]", import_module("snowballstemmer").stemmer)
    return make("english")


@cache
def _stemmer_version() -> str:
    return version("snowballstemmer")


SIMILARITY: Similarity = LexicalSimilarity()
"""The measure that constructions use."""
