"""A written or real query on its way to a verdict, under the ids that it keeps on every replay."""

from functools import cached_property

from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Difficulty, Example, Query, SampleType, Synthesized
from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import Candidate
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value, content_hash

SAMPLE_TYPES: dict[ScenarioKind, SampleType] = {
    ScenarioKind.TRIGGER: SampleType.POSITIVE,
    ScenarioKind.TYPE_A: SampleType.GLOBAL_NEGATIVE,
    ScenarioKind.TYPE_B: SampleType.TARGETED_NEGATIVE,
    ScenarioKind.TYPE_C: SampleType.TARGETED_NEGATIVE,
    ScenarioKind.UNDERSPECIFIED: SampleType.TARGETED_NEGATIVE,
}


class Draft(Value):
    """A candidate that passed the filter, with the scenario, tool and gap that it was written for."""

    candidate: Candidate
    scenario: Scenario
    tool: ToolSpec
    unit: CoverageUnit
    """The unit that was short."""
    round: int
    benchmark: str = ""
    """Id of the benchmark it is for: the same query in two benchmarks is two cases."""
    strengthens: str | None = None
    """Id of the record of the weaker query that this one was made from (P32)."""

    @property
    def query(self) -> Query:
        """The query."""
        return self.candidate.query

    @property
    def gap(self) -> str:
        """The unit and round it was written for (P36)."""
        return self.unit.gap(self.round)

    @cached_property
    def digest(self) -> str:
        """Hash of benchmark, scenario, query text and target: equal on every replay."""
        return content_hash([self.benchmark, self.scenario.id, self.query.text, self.tool.offered_name])[:20]

    @property
    def record_id(self) -> str:
        """Id of its verification record."""
        return f"record-{self.digest}"

    @property
    def targets(self) -> bool:
        """Whether it was written for a difficulty; a real query comes as it is."""
        return self.round > 0

    def accepted(self, record: VerificationRecord, observed: "Observed") -> "Examined":
        """The draft as a verified example, as it was `observed`; `record` must hold its label."""
        label = record.label
        if label is None:
            raise InvalidRecordError("an accepted record has a label", field="label")
        gap = self.gap
        if not self.targets:
            gap = CoverageUnit(scenario=self.scenario.id, difficulty=observed.difficulty).gap(self.round)
            record = record.model_copy(update={"gap": gap})
        example = Example(
            id=f"example-{self.digest}",
            query=self.query,
            target=self.tool.offered_name,
            label=label,
            sample_type=SAMPLE_TYPES[self.scenario.kind],
            scenario=self.scenario.id,
            tags=observed.tags,
            target_difficulty=self.unit.difficulty if self.targets else observed.difficulty,
            difficulty=observed.difficulty,
            p_k=record.p_k,
            inference_steps=observed.steps,
            record_id=record.id,
            gap=gap,
            further=tuple(call.label.gold for call in record.further if isinstance(call.label, ValidInvocation)),
            ordered=self.scenario.ordered,
            synthesized=observed.synthesized,
        )
        return Examined(draft=self, record=record, example=example)


class Observed(Value):
    """What became known of a query after its label: how hard it is, and what else it is like."""

    difficulty: Difficulty
    steps: tuple[str, ...] = ()
    """Positives: the inference steps, in the words of who verified them."""
    tags: tuple[str, ...] = ()
    synthesized: Synthesized | None = None


class Examined(Value):
    """A draft with its verdict: an accepted one has an example."""

    draft: Draft
    record: VerificationRecord
    example: Example | None = None
