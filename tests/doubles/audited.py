"""A benchmark to audit: cases with gold and cases without, their records, and opinions on them."""

import json
from collections.abc import Iterable
from pathlib import Path

from doubles.store import a_benchmark, a_record, an_example
from plugineval.harness.audits.opinions import NegativeOpinion, Opinion, PositiveOpinion, Review, Say
from plugineval.harness.audits.questions import CaseQuestion, case_question
from plugineval.pccf.examples import Benchmark, SampleType
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ToolUnnecessary
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, ProposalTrace, Round, VerificationRecord
from plugineval.server.store.store import Store


def an_audited_benchmark(positives: int, negatives: int) -> Benchmark:
    """Positives first."""
    made = a_benchmark("benchmark-a", examples=positives + negatives)
    none = {"label": ToolUnnecessary(), "sample_type": SampleType.GLOBAL_NEGATIVE}
    negative = tuple(example.model_copy(update=none) for example in made.examples[positives:])
    return made.model_copy(update={"examples": (*made.examples[:positives], *negative)})


def a_proof(number: int, *, generator: str = "maker", evaluator: str = "checker") -> VerificationRecord:
    """The record of example `number`, whose call was executed."""
    call = Invocation(tool="forecast", arguments={"city": f"town {number}"})
    seen = Observation(
        kind=ObservationKind.RETURNED, tool="forecast", arguments=call.arguments, text=f"sunny in town {number}"
    )
    judged = Assessment(score=1.0, reason="as asked", evaluator=evaluator)
    trace = ProposalTrace(
        round=1,
        generator=generator,
        index=0,
        proposal=call,
        argument_assessment=judged,
        observation=seen,
        result_assessment=judged,
        score=1.0,
    )
    rounds = (Round(number=1, traces=(trace,), best=0, accepted=True),)
    return a_record(number).model_copy(update={"rounds": rounds})


async def stored(store: Store, benchmark: Benchmark) -> None:
    """Keep the benchmark with a proof of every case."""
    await store.benchmarks.save_header(benchmark)
    for number in range(len(benchmark.examples)):
        await store.records.append(benchmark.id, a_proof(number))
    await store.benchmarks.finish(benchmark)


def on_positive(need: Say = "yes", target: Say = "yes", args: Say = "yes") -> PositiveOpinion:
    """With a reason."""
    return PositiveOpinion(need=need, target=target, args=args, reason="because")


def on_negative(need: Say = "yes") -> NegativeOpinion:
    """With a reason."""
    return NegativeOpinion(need=need, reason="because")


def reviewed(reviewer: str, opinions: Iterable[Opinion], *, involved: str = "") -> list[Review]:
    """The reviewer's opinions on example 0, 1, 2..."""
    return [
        Review(subject=an_example(number).id, reviewer=reviewer, opinion=opinion, involved=involved)
        for number, opinion in enumerate(opinions)
    ]


def questions_of(benchmark: Benchmark) -> dict[str, CaseQuestion]:
    """All its cases."""
    return {
        example.id: case_question(example, benchmark, a_proof(number))
        for number, example in enumerate(benchmark.examples)
    }


def filled(sheet: Path, into: Path, reviewers: Iterable[str], **answers: str) -> Path:
    """A sheet filled in by every reviewer with the same `answers`, as far as they are asked."""
    lines = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    said = [
        {**line, "reviewer": who, **{name: value for name, value in answers.items() if name in line}}
        for who in reviewers
        for line in lines
    ]
    into.write_text("".join(json.dumps(line) + "\n" for line in said), encoding="utf-8")
    return into
