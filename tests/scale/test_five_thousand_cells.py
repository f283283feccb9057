"""5,000 cells on two workers, one of which is killed, or sleeps past its heartbeat, at 40 %: `pytest -m scale`, alone.

All cells are measured once, both workers had their share, next to nothing is paid for twice, and what was left takes
no longer than it should: a third more than one worker needs at the rate of two, once the lost one is taken over.
"""

import os
import signal
import time
from collections.abc import Callable

import pytest

from doubles.fleet import Asked, Fleet, Times

pytestmark = [
    pytest.mark.scale,
    pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX"),
]

CELLS, IN_FLIGHT, LATENCY_S = 5_000, 8, 0.05
TIMES = Times(shard_cells=100, heartbeat_s=0.5, stalled_after_s=2.0)
SLOWER = 1.3


@pytest.fixture
def fleet(assembled: Callable[[Times, float], Fleet]) -> Fleet:
    """A fleet with shards of a usual size."""
    return assembled(TIMES, LATENCY_S)


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGSTOP])
def test_a_worker_that_is_lost_at_forty_percent_costs_little(fleet: Fleet, asked: Asked, signum: int) -> None:
    _, doomed = fleet.worker(), fleet.worker()
    run = fleet.evaluate(CELLS, concurrency=IN_FLIGHT)
    fleet.until(lambda: asked.questions.total() > 0, run)
    began = time.monotonic()
    fleet.until(lambda: asked.questions.total() >= 0.4 * CELLS, run)
    os.kill(doomed.pid, signum)
    lost_at, done = time.monotonic(), asked.questions.total()
    shares = fleet.asked_by()
    # The last answer is not the end: the report is written after it, and is measured elsewhere.
    fleet.until(lambda: len(asked.questions) == CELLS, run)
    took = time.monotonic() - lost_at
    outcome = fleet.ended(run)
    assert (outcome["rows"], outcome["errors"]) == (CELLS, {})
    counts = "select count(*), count(distinct case_id), min(outcome), max(outcome) from graded where run_id = :run"
    assert fleet.rows(counts, run=outcome["run_id"]) == [(CELLS, CELLS, "correct", "correct")]
    assert max(shares.values()) <= 0.6 * sum(shares.values()), shares
    assert asked.repeats <= IN_FLIGHT
    one_worker = max((lost_at - began) / done * 2, LATENCY_S / IN_FLIGHT)
    taken_over = TIMES.stalled_after_s + 2 * TIMES.heartbeat_s
    assert took <= SLOWER * one_worker * (CELLS - done) + taken_over, (took, one_worker * (CELLS - done))
    if signum == signal.SIGSTOP:
        by_the_sleeper = fleet.asked_by()["w1"]
        os.kill(doomed.pid, signal.SIGCONT)
        fleet.until(lambda: len(fleet.heard(doomed, "lost")) > 0)
        assert fleet.asked_by()["w1"] == by_the_sleeper
        assert asked.repeats <= IN_FLIGHT
