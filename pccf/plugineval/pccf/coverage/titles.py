"""Which scenarios of a catalog say the same: titles of one target and kind, compared like requests are.

Two titles that speak of different values or arguments are two scenarios, however alike the rest of them reads.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from plugineval.pccf.coverage.similarity import Similarity
from plugineval.pccf.coverage.wording import ToolWords, nearest_template, worded
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import ToolSpec

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
NEAR = 0.9
"""Similarity of the titles, values apart, from which two scenarios are one."""


class NearTitle(NamedTuple):
    """An earlier title, and how alike it is."""

    title: str
    similarity: float


class Titles:
    """The titles of one catalog so far."""

    def __init__(self, similarity: Similarity) -> None:
        self._similarity = similarity
        self._words: dict[str, ToolWords] = {}
        self._said: dict[tuple[object, ...], str] = {}
        self._templates: defaultdict[tuple[object, ...], dict[str, str]] = defaultdict(dict)

    def add(self, scenario: Scenario, tool: ToolSpec) -> None:
        """Remember the title of a scenario that is kept."""
        wording = worded(scenario.title, self._words_of(tool))
        self._said[(*_group(scenario), _plain(scenario.title))] = scenario.title
        self._templates[(*_group(scenario), wording.values)].setdefault(wording.template, scenario.title)

    def nearest(self, scenario: Scenario, tool: ToolSpec) -> NearTitle | None:
        """The earlier title that says the same as that of `scenario`, if there is one; the same words score 1."""
        same = self._said.get((*_group(scenario), _plain(scenario.title)))
        if same is not None:
            return NearTitle(same, 1.0)
        wording = worded(scenario.title, self._words_of(tool))
        known = self._templates.get((*_group(scenario), wording.values), {})
        found = nearest_template(wording.template, known, self._similarity, at_least=NEAR)
        return None if found is None else NearTitle(known[found[0]], found[1])

    def _words_of(self, tool: ToolSpec) -> ToolWords:
        """Arguments that a title speaks of tell scenarios apart like values do."""
        if tool.content_hash not in self._words:
            words = ToolWords.of(tool)
            arguments = {word.casefold() for name in tool.properties for word in _WORD.findall(name)}
            self._words[tool.content_hash] = words._replace(listed=words.listed | arguments)
        return self._words[tool.content_hash]


def _group(scenario: Scenario) -> tuple[object, ...]:
    return (scenario.target, scenario.kind, scenario.lookalike, scenario.then)


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())
