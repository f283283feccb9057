"""Which written candidates are worth verifying (P29). What is filtered out is kept, with the reason, as data.

Cheap, deterministic checks only. A near-duplicate has the values of an earlier request for the same target and almost
its wording; requests that differ in a number, a name or a date are different cases however alike they read.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from plugineval.pccf.config import FilterConfig
from plugineval.pccf.coverage.languages import foreign, known_languages
from plugineval.pccf.coverage.leaks import leaked_arguments, leaked_name
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.coverage.wording import ToolWords, nearest_template, worded
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.roles import Candidate, WritingTask
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value


class FilterReason(StrEnum):
    """Why a candidate was not verified."""

    EMPTY = "empty"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    OFF_SCENARIO = "off_scenario"
    """Written for another scenario than the one that was asked for."""
    NAMES_TOOL = "names_tool"
    """The answer leaks: the name that a model must choose stands in the query."""
    HOLDS_ARGUMENTS = "holds_arguments"
    """The answer leaks: arguments of the tool stand in the query as a program spells them."""
    OTHER_LANGUAGE = "other_language"
    """Surely in none of the languages that were asked for."""
    DUPLICATE = "duplicate"
    """The same words, up to case, spacing and punctuation at the ends, were written before in this construction."""
    NEAR_DUPLICATE = "near_duplicate"
    """Almost the same wording with the same values was written before for the same target."""
    BEYOND_REQUEST = "beyond_request"
    """More than was asked for."""


class FilteredCandidate(Value):
    """A candidate that was not verified, and the unit that it was written for."""

    candidate: Candidate
    unit: CoverageUnit
    reason: FilterReason
    detail: str = ""
    """What was found or measured: a length, the leak, the language with its probability."""
    similarity: float | None = None
    """Duplicates: of the two wordings, their values left out."""
    compared_with: str = ""
    """Duplicates: the earlier text."""
    measure: str = ""
    """Near-duplicates: name and version of the similarity measure (D12)."""


class _Finding(NamedTuple):
    reason: FilterReason
    detail: str = ""
    similarity: float | None = None
    compared_with: str = ""


def normalised(text: str) -> str:
    """What two texts that are exact duplicates share."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip(" .!?,;:\"'")


class CandidateFilter:
    """Remembers every text of one construction. Deterministic in the order in which candidates arrive.

    `ConfigurationError` for a language that cannot be told apart.
    """

    def __init__(self, config: FilterConfig | None = None, similarity: Similarity = SIMILARITY) -> None:
        self._config = config or FilterConfig()
        self._similarity = similarity
        self._seen: dict[str, str] = {}
        self._wordings: defaultdict[tuple[str, tuple[str, ...]], dict[str, str]] = defaultdict(dict)
        self._words: dict[str, ToolWords] = {}
        _check_languages(self._config.languages)

    def sift(
        self, task: WritingTask, candidates: Iterable[Candidate]
    ) -> tuple[list[Candidate], list[FilteredCandidate]]:
        """Split `candidates` of one writer's answer into those to verify (at most `task.count`) and the others."""
        kept: list[Candidate] = []
        filtered: list[FilteredCandidate] = []
        for candidate in candidates:
            finding = self._finding(task, candidate, len(kept))
            if finding is None:
                self._remember(task.tool, candidate.query.text)
                kept.append(candidate)
            else:
                filtered.append(self._filtered(task, candidate, finding))
        return kept, filtered

    def _filtered(self, task: WritingTask, candidate: Candidate, finding: _Finding) -> FilteredCandidate:
        measured = finding.reason is FilterReason.NEAR_DUPLICATE
        return FilteredCandidate(
            candidate=candidate,
            unit=CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty),
            reason=finding.reason,
            detail=finding.detail,
            similarity=finding.similarity,
            compared_with=finding.compared_with,
            measure=self._similarity.measure if measured else "",
        )

    def _finding(self, task: WritingTask, candidate: Candidate, kept: int) -> _Finding | None:
        text = candidate.query.text
        if candidate.scenario != task.scenario.id:
            return _Finding(FilterReason.OFF_SCENARIO, f"written for {candidate.scenario}")
        found = self._unfit(text) or _leak(task, text) or self._language(text) or self._repeated(task.tool, text)
        if found is None and kept >= task.count:
            return _Finding(FilterReason.BEYOND_REQUEST, f"{task.count} asked for")
        return found

    def _unfit(self, text: str) -> _Finding | None:
        length = len(text.strip())
        if not any(map(str.isalnum, text)):
            return _Finding(FilterReason.EMPTY)
        if length < self._config.minimum_characters:
            return _Finding(FilterReason.TOO_SHORT, f"{length} characters")
        if length > self._config.maximum_characters:
            return _Finding(FilterReason.TOO_LONG, f"{length} characters")
        return None

    def _language(self, text: str) -> _Finding | None:
        found = foreign(text, self._config.languages)
        return found and _Finding(FilterReason.OTHER_LANGUAGE, f"{found.code} with probability {found.probability:.2f}")

    def _repeated(self, tool: ToolSpec, text: str) -> _Finding | None:
        earlier = self._seen.get(normalised(text))
        if earlier is not None:
            return _Finding(FilterReason.DUPLICATE, similarity=1.0, compared_with=earlier)
        wording = worded(text, self._words_of(tool))
        known = self._wordings.get((tool.offered_name, wording.values), {})
        near = nearest_template(wording.template, known, self._similarity, at_least=self._config.near_duplicate)
        return near and _Finding(FilterReason.NEAR_DUPLICATE, similarity=near[1], compared_with=known[near[0]])

    def _remember(self, tool: ToolSpec, text: str) -> None:
        self._seen[normalised(text)] = text
        wording = worded(text, self._words_of(tool))
        self._wordings[tool.offered_name, wording.values].setdefault(wording.template, text)

    def _words_of(self, tool: ToolSpec) -> ToolWords:
        if tool.content_hash not in self._words:
            self._words[tool.content_hash] = ToolWords.of(tool)
        return self._words[tool.content_hash]


def _leak(task: WritingTask, text: str) -> _Finding | None:
    tools = [task.tool]
    others = (task.scenario.lookalike or "", *task.scenario.then)
    tools += [task.toolset.by_name[name] for name in others if name in task.toolset.by_name]
    named = leaked_name(text, [name for tool in tools for name in (tool.offered_name, tool.name)])
    if named is not None:
        return _Finding(FilterReason.NAMES_TOOL, named)
    spelled = next((found for tool in tools if (found := leaked_arguments(text, tool))), None)
    return None if spelled is None else _Finding(FilterReason.HOLDS_ARGUMENTS, spelled)


def _check_languages(wanted: tuple[str, ...]) -> None:
    known = known_languages() if wanted else ()
    for code in wanted:
        if code not in known:
            raise ConfigurationError(
                f"{code!r} is no language that can be told apart", field="filters.languages", allowed=known
            )
