"""Small whole values for tests of what is stored, an ordinary user, and processes beside the test's own."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import Confusion, GradedRow, Outcome
from plugineval.harness.run import RunConfig, RunInfo, Scope
from plugineval.pccf.examples import Benchmark, Difficulty, Example, Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.pccf.values import Json

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOBODY = 65534


def a_plugin(name: str = "weather", *, description: str = "The forecast of a city") -> Plugin:
    schema: dict[str, Json] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tool = ToolSpec(plugin=name, name="forecast", description=description, input_schema=schema)
    return Plugin(name=name, version="1.2.0", tools=(tool,))


def an_example(number: int) -> Example:
    return Example(
        id=f"example-{number:04}",
        query=Query.of_text(f"weather in town {number}", now=NOON),
        target="forecast",
        label=ValidInvocation(gold=Invocation(tool="forecast", arguments={"city": f"town {number}"})),
        sample_type=SampleType.POSITIVE,
        scenario="forecast/ask",
        target_difficulty=Difficulty.EASY,
        difficulty=Difficulty.EASY,
        record_id=f"record-{number:04}",
        gap="forecast/ask|easy@1",
    )


def a_record(number: int, *, accepted: bool = True) -> VerificationRecord:
    return VerificationRecord(
        id=f"record-{number:04}",
        query=Query.of_text(f"weather in town {number}"),
        target="forecast",
        scenario="forecast/ask",
        gap="forecast/ask|easy@1",
        verdict="accepted" if accepted else "rejected",
        reason="",
        lambda_arg=0.5,
        lambda_out=0.5,
        tau=0.8,
        started_at=NOON,
        finished_at=NOON,
    )


def a_benchmark(identity: str = "benchmark-a", *, examples: int = 0, minutes: int = 0) -> Benchmark:
    plugin = a_plugin()
    return Benchmark(
        id=identity,
        name="weather",
        created_at=NOON + timedelta(minutes=minutes),
        plugins=(plugin,),
        toolset=Toolset.of_plugins([plugin]),
        scenarios=(Scenario(id="forecast/ask", kind=ScenarioKind.TRIGGER, target="forecast", title="asks"),),
        examples=tuple(an_example(number) for number in range(examples)),
    )


def a_case(number: int) -> Case:
    return Case(
        id=f"case-{number:05}",
        query=Query.of_text(f"weather in town {number}"),
        toolset=Toolset.of_plugins([a_plugin()]),
        gold=(GoldCall(tool="forecast", arguments={"city": f"town {number}"}),),
        sample_type=SampleType.POSITIVE,
        difficulty=Difficulty.EASY,
    )


def a_run(identity: str = "run-a", *, minutes: int = 0) -> RunInfo:
    scope = Scope(
        benchmark="weather",
        benchmark_hash="0" * 64,
        plugins=("weather 1.2.0",),
        tools=1,
        schema_depth=1,
        optional_fields=0,
        toolset_hashes=(),
        cases=1,
        positives=1,
        negatives={},
        traffic="synthetic",
    )
    started = NOON + timedelta(minutes=minutes)
    return RunInfo(id=identity, config=RunConfig(models=("m",)), scope=scope, started_at=started)


def an_attempt(number: int = 0, *, model: str = "m", repeat: int = 0, text: str = "") -> Attempt:
    calls = (EmittedCall(name="forecast", arguments={"city": f"town {number}"}),)
    return Attempt(
        case_id=f"case-{number:05}",
        model=model,
        repeat=repeat,
        reply=RouterReply(calls=calls, text=text),
        toolset_hash="0" * 64,
        at=NOON,
    )


def a_row(
    number: int = 0, *, model: str = "m", repeat: int = 0, outcome: Outcome = Outcome.CORRECT, variant: str = ""
) -> GradedRow:
    return GradedRow(
        case_id=f"case-{number:05}",
        model=model,
        repeat=repeat,
        variant=variant,
        sample_type=SampleType.POSITIVE,
        difficulty=Difficulty.EASY,
        outcome=outcome,
        confusion=Confusion.TP if outcome is Outcome.CORRECT else Confusion.FN,
        called=True,
    )


@contextmanager
def as_ordinary_user(*places: Path) -> Generator[None]:
    """Root may write where others may not; inside this block permissions hold, for `places` and what is in them."""
    if os.name != "posix":
        pytest.skip("file permissions as they are on POSIX")
    if os.geteuid() != 0:
        yield
        return
    for place in places:
        os.chown(place, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        if not os.access(__file__, os.R_OK, effective_ids=True):
            pytest.skip("this checkout lies where an ordinary user cannot read it")
        yield
    finally:
        os.seteuid(0)


def engine_of(where: str) -> Engine:
    """A way past the store to the database at a path or URL."""
    return create_engine(where if "://" in where else f"sqlite:///{where}")


def start_script(text: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process of its own that runs `text`, with pipes for its three streams."""
    return subprocess.Popen(
        [sys.executable, "-c", text, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
