"""How well a query's words fit each tool of a set: stems of names, descriptions, arguments; rarer ones count more.

Two shares make the score: how much of the tool's weightiest words the query holds, and how much of what the query says
the tool knows. Values that stand in the query (a zone, an expression, a unit) count as words of their kind.
"""

import math
import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Kind, arguments_of
from plugineval.clients.baseline.lexicon import unit_index
from plugineval.clients.baseline.spotting.reading import Reading, read
from plugineval.clients.baseline.words import label, stems, tokens
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import Toolset, ToolSpec

CALL_THRESHOLD = 0.36
"""Below it the router calls nothing."""
NEED_THRESHOLD = 0.3
"""Below it no tool of the set is taken to be needed (level 1)."""
_FULL = 4
"""So many of a tool's weightiest words are a full match."""
_TOOL_SHARE = 0.6
_MOST_LISTED = 400
"""So many listed values of an argument are words of the tool; thousands (places, codes) say nothing about it."""
_FUZZY = 88.0


class Ranked(NamedTuple):
    """A tool with its score in [0, 1] for a query."""

    tool: ToolSpec
    score: float


class _Vocabulary(NamedTuple):
    weights: dict[str, float]
    full: float


class _Index(NamedTuple):
    vocabularies: tuple[_Vocabulary, ...]
    idf: dict[str, float]


_INDEXES: dict[tuple[str, ...], _Index] = {}
"""By what is read of the tools. No tool is kept: two servers may show models the same and differ in the rest."""


def rank(query: Query, toolset: Toolset) -> tuple[Ranked, ...]:
    """All tools, best first; ties keep the order of the set."""
    index = _index(toolset)
    words = _query_words(read(query), index)
    ranked = [
        Ranked(tool, _score(words, vocabulary, index.idf))
        for tool, vocabulary in zip(toolset.tools, index.vocabularies, strict=True)
    ]
    return tuple(sorted(ranked, key=lambda each: -each.score))


def _score(words: dict[str, float], vocabulary: _Vocabulary, idf: dict[str, float]) -> float:
    rare = max(idf.values(), default=1.0)
    held = said = known = 0.0
    for word, weight in words.items():
        worth = weight * idf.get(word, rare)
        said += worth
        if word in vocabulary.weights:
            known += worth
            held += worth * vocabulary.weights[word]
    if not held:
        return 0.0
    return _TOOL_SHARE * min(1.0, held / vocabulary.full) + (1 - _TOOL_SHARE) * known / said


def _index(toolset: Toolset) -> _Index:
    key = (toolset.content_hash, *(tool.title or "" for tool in toolset.tools))
    found = _INDEXES.get(key)
    if found is None:
        found = _build(toolset)
        if len(_INDEXES) >= 64:
            _INDEXES.clear()
        _INDEXES[key] = found
    return found


def _build(toolset: Toolset) -> _Index:
    weights = [_weights(tool) for tool in toolset.tools]
    spread = Counter(word for each in weights for word in each)
    total = len(weights)
    idf = {word: math.log(1 + (total + 1) / (count + 0.5)) for word, count in spread.items()}
    vocabularies: list[_Vocabulary] = []
    for each in weights:
        heaviest = sorted((weight * idf[word] for word, weight in each.items()), reverse=True)[:_FULL]
        vocabularies.append(_Vocabulary(each, sum(heaviest)))
    return _Index(tuple(vocabularies), idf)


def _weights(tool: ToolSpec) -> dict[str, float]:
    """Stem -> weight: name and title count most, then description, then arguments and their listed values."""
    weights: dict[str, float] = {}
    sources = [(label(tool.name), 1.0), (tool.title or "", 0.9), (tool.description[:600], 0.8)]
    for argument in arguments_of(tool):
        sources.append((argument.label, 0.5))
        sources += [(str(choice), 0.6) for choice in argument.choices[:_MOST_LISTED] if isinstance(choice, str)]
        sources.append((argument.description[:200], 0.3))
        sources.append((_KIND_WORDS.get((argument.item or argument).kind, ""), 0.4))
    for text, weight in sources:
        for word in stems(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


_KIND_WORDS = {
    Kind.ZONE: "timezone",
    Kind.TIME: "time",
    Kind.DATE: "date",
    Kind.EXPRESSION: "expression calculate",
    Kind.UNIT: "unit convert",
    Kind.EMAIL: "email",
    Kind.URL: "url",
    Kind.PATH: "file",
}


def _query_words(reading: Reading, index: _Index) -> dict[str, float]:
    words = {word: 1.0 for word in stems(_words_around_values(reading)) if not word.isdigit()}
    for kind, present in _present(reading):
        for word in stems(_KIND_WORDS[kind]) if present else ():
            words.setdefault(word, 0.6)
    for word in [word for word in words if word not in index.idf and len(word) >= 5]:
        near = _nearest(word, index)
        if near:
            words.setdefault(near, 0.8)
    return words


def _words_around_values(reading: Reading) -> str:
    """The text without the values that stand in it: a city or a quoted title says nothing about the tool."""
    values = [
        *(reading.quoted + reading.literals + reading.zones + reading.expressions + reading.times),
        *(reading.dates + reading.addresses + reading.paths + reading.identifiers + reading.all_numbers),
    ]
    text = list(reading.text)
    for found in values:
        text[found.start : found.end] = " " * (found.end - found.start)
    return " ".join(word for word in "".join(text).split() if word.strip(".,;?!").lower() not in unit_index())


def _present(reading: Reading) -> list[tuple[Kind, bool]]:
    units = any(word in unit_index() and len(word) > 1 for word in tokens(reading.text))
    return [
        (Kind.ZONE, bool(reading.zones)),
        (Kind.TIME, bool(reading.times)),
        (Kind.DATE, bool(reading.dates)),
        (Kind.EXPRESSION, bool(reading.expressions)),
        (Kind.UNIT, units and bool(reading.numbers)),
        (Kind.EMAIL, bool(reading.emails)),
        (Kind.URL, bool(reading.urls)),
        (Kind.PATH, bool(re.search(r"[./]\w", reading.text)) and bool(reading.paths)),
    ]


def _nearest(word: str, index: _Index) -> str | None:
    """The known word that `word` is a near miss of (typing mistakes)."""
    return _nearest_of(word, tuple(index.idf))


@lru_cache(maxsize=4_096)
def _nearest_of(word: str, known: tuple[str, ...]) -> str | None:
    from rapidfuzz import fuzz, process

    best = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=_FUZZY)
    return best[0] if best else None
