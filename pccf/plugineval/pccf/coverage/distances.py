"""d_syn: how hard a negative was made to see through, measured on its words (P27) by the one named measure (D12).

Type A is judged by its distance from what the nearest offered tool does; Type B and underspecified requests by how
near their words come to the target's; Type C likewise, as far as the boundary that it crosses shows in its words. The
thresholds part the requests of a template writer on six real servers where easy, medium and hard wording parted.
"""

from collections.abc import Mapping
from typing import NamedTuple

from plugineval.pccf.coverage.lookalikes import profile
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity, stems
from plugineval.pccf.examples import Difficulty, Query, Synthesized
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec


class Bounds(NamedTuple):
    """Similarity to a tool's own words from which a request is medium, and hard."""

    medium: float
    hard: float

    def level(self, similarity: float) -> Difficulty:
        """The level of a similarity: the nearer the words, the harder to see through."""
        if similarity >= self.hard:
            return Difficulty.HARD
        return Difficulty.MEDIUM if similarity >= self.medium else Difficulty.EASY

    def of(self, level: Difficulty) -> tuple[float, float]:
        """Similarities of `level`: from the first up to, but not with, the second."""
        return {
            Difficulty.EASY: (0.0, self.medium),
            Difficulty.MEDIUM: (self.medium, self.hard),
            Difficulty.HARD: (self.hard, 1.0),
        }[level]


BOUNDS: Mapping[ScenarioKind, Bounds] = {
    ScenarioKind.TYPE_A: Bounds(0.15, 0.4),
    # Talk about other things stays below 0.15; a question about the tool's own subject begins at 0.4.
    ScenarioKind.TYPE_B: Bounds(0.25, 0.45),
    # A request for a look-alike alone shares a quarter of its wording; a mention of the target's act nearly half.
    ScenarioKind.TYPE_C: Bounds(0.25, 0.45),
    ScenarioKind.UNDERSPECIFIED: Bounds(0.4, 0.6),
    # Such a request is worded as one for the target in any case, so its bounds lie higher.
}


def synthesized(
    query: Query, scenario: Scenario, tool: ToolSpec, toolset: Toolset, similarity: Similarity = SIMILARITY
) -> Synthesized:
    """The measured construction target of a negative for `tool`. `score` is a distance for Type A, else a similarity.

    `ValueError` for a trigger: the difficulty of positives is their inference depth (P26).
    """
    if scenario.kind.positive:
        raise ValueError(f"{scenario.id} is a trigger scenario: it has no d_syn")
    near = _nearness(query.text, scenario, tool, toolset, similarity)
    level = BOUNDS[scenario.kind].level(near)
    score = round(1 - near, 9) if scenario.kind is ScenarioKind.TYPE_A else near
    return Synthesized(measure=similarity.measure, score=score, level=level)


def wanted(kind: ScenarioKind, difficulty: Difficulty) -> str:
    """The d_syn target of a negative as a writer is told it; empty for triggers."""
    if kind.positive:
        return ""
    low, high = BOUNDS[kind].of(difficulty)
    whose = "of any tool on offer" if kind is ScenarioKind.TYPE_A else "of the tool"
    limits = f"below {high:g}" if low == 0 else f"at least {low:g}" if high == 1 else f"from {low:g} to below {high:g}"
    return f"similarity of the request's words to the name and description {whose}: {limits} (0 unrelated, 1 equal)"


def _nearness(text: str, scenario: Scenario, tool: ToolSpec, toolset: Toolset, similarity: Similarity) -> float:
    if scenario.kind is ScenarioKind.TYPE_A:
        return max((similarity.score(text, _said_of(each)) for each in toolset.tools), default=0.0)
    if scenario.kind is ScenarioKind.TYPE_C and not boundary_shows(text, scenario, tool):
        return 0.0
    return similarity.score(text, _said_of(tool))


def boundary_shows(text: str, scenario: Scenario, tool: ToolSpec) -> bool:
    """Whether a Type C request says what the tool cannot do: it shares a word with the scenario's title or evidence
    that the tool's own words lack, or any of them where they lack none.
    """
    told = set(stems(f"{scenario.title} {scenario.evidence}"))
    beyond = told - set(stems(_said_of(tool)))
    return bool(set(stems(text)) & (beyond or told))


def _said_of(tool: ToolSpec) -> str:
    return profile(tool, leave_out=frozenset(tool.properties))
