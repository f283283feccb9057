"""How fast a benchmark is built where every model answers after 50 ms, against what these answers alone must take; and
what the engine costs where they take no time.

The ideal is what the same sleeps take in 32 lanes on this machine in this run, nothing else being done, or the longest
chain of calls that wait for each other.
"""

import time
from collections import Counter
from functools import partial
from pathlib import Path

import anyio
import pytest

from benchmarks.build import LANES, build, measure
from benchmarks.build_players import PLUGIN_S
from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.results import StopReason

pytestmark = pytest.mark.speed

MODEL_S = 0.05
SIZE = 240
MOST_OF_IDEAL = 1.3
SLACK = 1.5
"""The bars are those of a quiet machine (`python -m tests.benchmarks build`); what others do on it costs caches."""
CHAIN = ("scenarios", "write", "vote", "vote", "propose", "assess", "execute", "assess", "depth")
"""Calls that wait for each other on the way to a positive."""


async def bare(made: Counter[str]) -> float:
    """Seconds that the same calls take where nothing but them is done."""
    limiter = anyio.CapacityLimiter(LANES)

    async def sleep(seconds: float) -> None:
        async with limiter:
            await anyio.sleep(seconds)

    lengths = [PLUGIN_S if stage == "execute" else MODEL_S for stage in made.elements()]
    started = time.perf_counter()
    await in_order([partial(sleep, seconds) for seconds in lengths])
    return time.perf_counter() - started


def test_a_build_takes_hardly_longer_than_its_answers(tmp_path: Path) -> None:
    runs = [anyio.run(partial(build, tmp_path / f"{number}.db", size=SIZE, model_s=MODEL_S)) for number in range(3)]
    made, result = runs[0].players.made, runs[0].result
    assert result.stop_reason is StopReason.BUDGETS_MET
    assert made["propose"] >= 3 * len(result.benchmark.examples) // 2
    chain = sum(PLUGIN_S if stage == "execute" else MODEL_S for stage in CHAIN)
    ideal = max(anyio.run(bare, made), chain * len(result.rounds))
    wall = min(run.wall_s for run in runs)
    assert wall <= MOST_OF_IDEAL * ideal, f"{made.total()} calls, {wall:.2f} s, ideal {ideal:.2f} s"


def test_the_engine_costs_the_same_few_milliseconds_a_proposal_however_many_examples_there_are() -> None:
    figures = [figure for figure in measure() if figure.bar is not None]
    assert len(figures) == 3
    assert [figure for figure in figures if figure.value > SLACK * (figure.bar or 0)] == []
