"""Which written candidates are worth verifying (P29). What is filtered out is kept, with the reason, as data.

Cheap, deterministic checks only; similarity measures for near-duplicates join `CHECKS` as one more function.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum

from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.roles import Candidate, WritingTask
from plugineval.pccf.values import Value

MAX_CHARACTERS = 4000


class FilterReason(StrEnum):
    """Why a candidate was not verified."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    OFF_SCENARIO = "off_scenario"
    """Written for another scenario than the one that was asked for."""
    DUPLICATE = "duplicate"
    """The same words, up to case, spacing and punctuation at the ends, were written before in this construction."""
    NAMES_TOOL = "names_tool"
    """The answer leaks: the name that a model must choose stands in the query."""
    HOLDS_ARGUMENTS = "holds_arguments"
    """The answer leaks: a JSON object with arguments of the tool stands in the query."""
    BEYOND_REQUEST = "beyond_request"
    """More than was asked for."""


class FilteredCandidate(Value):
    """A candidate that was not verified, and the unit that it was written for."""

    candidate: Candidate
    unit: CoverageUnit
    reason: FilterReason


def normalised(text: str) -> str:
    """What two texts that are exact duplicates share."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.split()).strip(" .!?,;:\"'")


class CandidateFilter:
    """Remembers every text of one construction. Deterministic in the order in which candidates arrive."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def sift(
        self, task: WritingTask, candidates: Iterable[Candidate]
    ) -> tuple[list[Candidate], list[FilteredCandidate]]:
        """Split `candidates` of one writer's answer into those to verify (at most `task.count`) and the others."""
        kept: list[Candidate] = []
        filtered: list[FilteredCandidate] = []
        unit = CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty)
        for candidate in candidates:
            reason = self._reason(task, candidate, len(kept))
            if reason is None:
                kept.append(candidate)
            else:
                filtered.append(FilteredCandidate(candidate=candidate, unit=unit, reason=reason))
        return kept, filtered

    def _reason(self, task: WritingTask, candidate: Candidate, kept: int) -> FilterReason | None:
        if broken := next((reason for reason, check in CHECKS if check(task, candidate)), None):
            return broken
        text = normalised(candidate.query.text)
        if text in self._seen:
            return FilterReason.DUPLICATE
        if kept >= task.count:
            return FilterReason.BEYOND_REQUEST
        self._seen.add(text)
        return None


def _empty(task: WritingTask, candidate: Candidate) -> bool:
    return not any(character.isalnum() for character in candidate.query.text)


def _too_long(task: WritingTask, candidate: Candidate) -> bool:
    return len(candidate.query.text) > MAX_CHARACTERS


def _off_scenario(task: WritingTask, candidate: Candidate) -> bool:
    return candidate.scenario != task.scenario.id


def _names_tool(task: WritingTask, candidate: Candidate) -> bool:
    names = {task.tool.offered_name, task.tool.name}
    lookalike = task.toolset.by_name.get(task.scenario.lookalike or "")
    if lookalike is not None:
        names |= {lookalike.offered_name, lookalike.name}
    return any(_stands_as_name(name, candidate.query.text) for name in names)


def _stands_as_name(name: str, text: str) -> bool:
    """A plain word such as `search` is everyday language unless it is written as code or called a tool."""
    word = re.escape(name)
    if re.fullmatch(r"[A-Za-z][a-z]*", name):
        written_as_name = rf"`{word}`|\b{word}\s?\(|\b{word} (?:tool|function)\b|\b(?:tool|function) [\"'`]?{word}\b"
        return re.search(written_as_name, text, re.IGNORECASE) is not None
    return re.search(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None


def _holds_arguments(task: WritingTask, candidate: Candidate) -> bool:
    arguments = task.tool.properties.keys()
    return any(arguments & found.keys() for found in _json_objects(candidate.query.text))


def _json_objects(text: str) -> Iterator[dict[str, object]]:
    decoder = json.JSONDecoder()
    for brace in re.finditer(r"\{", text):
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


CHECKS: tuple[tuple[FilterReason, Callable[[WritingTask, Candidate], bool]], ...] = (
    (FilterReason.EMPTY, _empty),
    (FilterReason.TOO_LONG, _too_long),
    (FilterReason.OFF_SCENARIO, _off_scenario),
    (FilterReason.NAMES_TOOL, _names_tool),
    (FilterReason.HOLDS_ARGUMENTS, _holds_arguments),
)
