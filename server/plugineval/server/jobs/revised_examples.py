"""One case as a person corrected it: its label, how it is counted, the scenario it belongs to, and its new proof."""

from collections.abc import Sequence
from datetime import datetime

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.examining.drafts import SAMPLE_TYPES
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.labels import Label, TargetIrrelevant, ToolUnnecessary, Underspecified, ValidInvocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import Assessment, ProposalTrace, Round, VerificationRecord
from plugineval.pccf.revisions import Revision
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.values import content_hash

_KINDS: dict[str, tuple[ScenarioKind, ...]] = {
    "valid_invocation": (ScenarioKind.TRIGGER,),
    "tool_unnecessary": (ScenarioKind.TYPE_A,),
    "target_irrelevant": (ScenarioKind.TYPE_B, ScenarioKind.TYPE_C),
    "underspecified": (ScenarioKind.UNDERSPECIFIED,),
}


def label_of_revision(revision: Revision) -> Label:
    """The label that a revision (not a removal) gives."""
    match revision.label:
        case "tool_unnecessary":
            return ToolUnnecessary()
        case "target_irrelevant":
            return TargetIrrelevant()
        case "underspecified":
            return Underspecified()
        case None:
            return ValidInvocation(gold=revision.gold[0])


def with_scenario(benchmark: Benchmark, example: Example, revision: Revision) -> tuple[Benchmark, Scenario]:
    """The benchmark with a scenario that the revised case belongs to, and that scenario.

    It stays the one it has where the kind still fits; else one of the same target and kind, else a new one.
    """
    target, kinds = _target(example, revision), _KINDS[label_of_revision(revision).shape]
    fitting = [s for s in benchmark.scenarios if s.target == target and s.kind in kinds]
    own = [scenario for scenario in fitting if scenario.id == example.scenario]
    if found := own or fitting:
        return benchmark, found[0]
    kind = kinds[-1]
    made = Scenario(
        id=f"{target}.{kind.value}.revised",
        kind=kind,
        target=target,
        title="requests that a person relabelled",
        evidence=revision.reason,
    )
    return benchmark.model_copy(update={"scenarios": (*benchmark.scenarios, made)}), made


def revised_example(example: Example, revision: Revision, scenario: Scenario) -> Example:
    """The case with its new label. A negative's p_K spoke of the old label and is gone until it is calibrated again."""
    label = label_of_revision(revision)
    same = label.shape == example.label.shape
    return example.model_copy(
        update={
            "label": label,
            "further": revision.gold[1:],
            "ordered": ordered_after(example, revision),
            "target": scenario.target,
            "sample_type": SAMPLE_TYPES[scenario.kind],
            "scenario": scenario.id,
            "p_k": example.p_k if same else None,
            "synthesized": example.synthesized if same else None,
            "record_id": f"record-{content_hash([example.record_id, revision.model_dump(mode='json')])[:20]}",
        }
    )


def ordered_after(example: Example, revision: Revision) -> bool:
    """Whether the gold calls of the revised case must come in their order."""
    return example.ordered if revision.ordered is None else revision.ordered


def proof_of(
    example: Example,
    revision: Revision,
    observations: Sequence[Observation],
    *,
    config: BuildConfig | None,
    at: datetime,
) -> VerificationRecord:
    """The record of a revised case: the person stands for its meaning, the observations for its execution."""
    traces = [_trace(revision, place, observation) for place, observation in enumerate(observations)]
    numbers = (config or BuildConfig()).verification
    return VerificationRecord(
        id=example.record_id,
        query=example.query,
        target=example.target,
        scenario=example.scenario,
        gap=example.gap,
        rounds=(Round(number=1, traces=tuple(traces), best=0, accepted=True),) if traces else (),
        verdict="accepted",
        reason=f"revised: {revision.reason}",
        label=example.label,
        lambda_arg=numbers.lambda_arg,
        lambda_out=numbers.lambda_out,
        tau=numbers.tau,
        started_at=at,
        finished_at=at,
    )


def _trace(revision: Revision, place: int, observation: Observation) -> ProposalTrace:
    said = Assessment(score=1.0, reason=revision.reason, evaluator=revision.author)
    return ProposalTrace(
        round=1,
        generator=revision.author,
        index=place,
        proposal=revision.gold[place],
        argument_assessment=said,
        observation=observation,
        result_assessment=said,
        score=1.0,
    )


def _target(example: Example, revision: Revision) -> str:
    tools = [call.tool for call in revision.gold]
    return example.target if not tools or example.target in tools else tools[0]
