"""Queries, verified examples, and the benchmark that freezes them with the tools they were verified on."""

from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import Literal

from pydantic import AwareDatetime

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import Label, ValidInvocation
from plugineval.pccf.releases import Release
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Value, content_hash


class Difficulty(StrEnum):
    """Positives: minimum inference depth (P26). Negatives: behaviour of the frozen router (P31)."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"

    @property
    def ordinal(self) -> int:
        """0, 1, 2."""
        return list(Difficulty).index(self)


class SampleType(StrEnum):
    """How a row is counted: P45, P46 and P47."""

    POSITIVE = "positive"
    TARGETED_NEGATIVE = "targeted_negative"
    GLOBAL_NEGATIVE = "global_negative"


class Message(Value):
    """One chat message of a query."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str


class Query(Value):
    """What a user asks: a conversation whose last message is the request, and the clock it was asked at."""

    messages: tuple[Message, ...]
    now: AwareDatetime | None = None
    origin: Literal["real", "synthetic", "unknown"] = "real"

    @property
    def text(self) -> str:
        """The last user message."""
        for message in reversed(self.messages):
            if message.role == "user":
                return message.content
        return ""

    @classmethod
    def of_text(
        cls, text: str, *, now: datetime | None = None, origin: Literal["real", "synthetic"] = "real"
    ) -> "Query":
        """A query of one user message."""
        return cls(messages=(Message(role="user", content=text),), now=now, origin=origin)


class Synthesized(Value):
    """d_syn of a negative as it was measured (P27, D12): how far its text is from, or how close to, the target."""

    measure: str
    """Name and version of the similarity measure."""
    score: float
    """In [0, 1]; what it means depends on the kind of the scenario."""
    level: Difficulty


class Example(Value):
    """A verified annotation, with the coverage gap it filled and the record that proves it (P36)."""

    id: str
    query: Query
    target: str
    """Offered name of the target tool."""
    label: Label
    sample_type: SampleType
    scenario: str
    """Id of the primary scenario, for accounting (P24)."""
    tags: tuple[str, ...] = ()
    target_difficulty: Difficulty
    difficulty: Difficulty
    p_k: float | None = None
    """Share of K reference-router runs that agreed with the label (P30); None for positives."""
    inference_steps: tuple[str, ...] = ()
    record_id: str
    gap: str
    """The coverage unit, as `scenario|difficulty`, and round it was synthesized for."""
    further: tuple[Invocation, ...] = ()
    """Gold calls beside the label's own, each verified: the request needs them all (P44)."""
    ordered: bool = False
    """Whether the gold calls must come in this order."""
    synthesized: Synthesized | None = None
    """Negatives: the measured construction target."""

    @property
    def gold(self) -> tuple[Invocation, ...]:
        """All gold calls, the label's first; none where no call is right."""
        return (self.label.gold, *self.further) if isinstance(self.label, ValidInvocation) else ()


class RouterFreeze(Value):
    """The frozen reference router (D9)."""

    model: str
    prompt_hash: str
    temperature: float | None = None
    seeds: tuple[int, ...]


class Benchmark(Value):
    """Examples, the scenarios they cover, and the snapshot of the plugins they were verified on."""

    id: str
    name: str
    created_at: AwareDatetime
    plugins: tuple[Plugin, ...]
    toolset: Toolset
    scenarios: tuple[Scenario, ...]
    examples: tuple[Example, ...]
    router: RouterFreeze | None = None
    roles: dict[str, str] = {}
    """Role -> id of the model that played it during construction."""
    config: BuildConfig | None = None
    """The numbers of the construction (D1, D2)."""
    stop_reason: str = ""
    """Why its construction ended (P35)."""
    release: Release = Release()
    """Which version of its history it is, and what changed."""

    @cached_property
    def content_hash(self) -> str:
        """Hash of tools and examples, ids apart: what makes two benchmarks the same benchmark."""
        examples = [_hashed(example) for example in self.examples]
        return content_hash([self.toolset.content_hash, examples])

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario with that id."""
        for scenario in self.scenarios:
            if scenario.id == scenario_id:
                return scenario
        raise UnknownNameError("scenario", scenario_id, (s.id for s in self.scenarios))


_LATER = {"further", "ordered", "synthesized"}
"""Fields that a first version did not have: left out where they say nothing, so that its hashes stay what they were."""


def _hashed(example: Example) -> dict[str, object]:
    said = example.model_dump(mode="json", exclude={"id", "record_id"})
    return {name: value for name, value in said.items() if value or name not in _LATER}
