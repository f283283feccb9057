"""Which language a request is in, for benchmarks that are meant for some only (P29).

Short texts are undecided: names, numbers and code say nothing about a language. Neighbouring languages (a creole, a
dialect) share what probability there is, so a text is foreign only where all wanted languages together are next to
impossible.
"""

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from plugineval.pccf.coverage.similarity import each_word

ENOUGH_LETTERS = 16
"""Letters outside of values below which a text is undecided; scripts without an alphabet need a quarter of it."""
NEXT_TO_IMPOSSIBLE = 0.01
"""Probability of all wanted languages together at which a text is foreign."""
_WIDELY_USED = each_word(
    "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sr sv sw ta te "
    "th tr uk ur vi zh"
)
_VALUES = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|\S*[\d/\\@_=]\S*|\b[A-Z][A-Z]+\b")


class Language(NamedTuple):
    """The likeliest language (ISO 639-1) with its probability."""

    code: str
    probability: float


class _Identifier(Protocol):
    @property
    def labels(self) -> list[str]: ...

    def rank(self, text: str, /) -> list[tuple[str, float]]: ...

    def set_languages(self, langs: list[str]) -> None: ...


def foreign(text: str, wanted: Collection[str]) -> Language | None:
    """The language of `text` where it is surely none of `wanted`; None where it may be one, or cannot be told."""
    plain = " ".join(_VALUES.sub(" ", text).split())
    if not wanted or _letters(plain) < ENOUGH_LETTERS:
        return None
    ranked = _ranked(plain, tuple(sorted(set(wanted))))
    if sum(ranked.get(code, 0.0) for code in wanted) >= NEXT_TO_IMPOSSIBLE:
        return None
    code = max(ranked, key=lambda each: ranked[each])
    return Language(code, ranked[code])


def known_languages() -> tuple[str, ...]:
    """The codes that can be told apart."""
    return tuple(sorted(_labels()))


def _letters(text: str) -> int:
    return sum(4 if ord(letter) >= 0x2E80 else 1 for letter in text if letter.isalpha())


def _ranked(text: str, wanted: tuple[str, ...]) -> Mapping[str, float]:
    return dict(_identifier(wanted).rank(text))


@cache
def _identifier(wanted: tuple[str, ...]) -> _Identifier:
    made = _load()
    made.set_languages(sorted({*_WIDELY_USED, *wanted} & set(_labels())))
    return made


def _load() -> _Identifier:
    module = cast("_Module", import_module("py3langid.langid"))
    return module.LanguageIdentifier.from_model_file(module.MODEL_FILE, norm_probs=True)


class _Factory(Protocol):
    def from_model_file(self, model_file: str, *, norm_probs: bool) -> _Identifier: ...


class _Module(Protocol):
    MODEL_FILE: str
    LanguageIdentifier: _Factory


@cache
def _labels() -> tuple[str, ...]:
    return tuple(_load().labels)
