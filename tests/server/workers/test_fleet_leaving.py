"""A worker that is told to leave is gone in time, whatever holds it, and has lost nothing that was kept."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doubles.fleet import Asked, Fleet, Times
from doubles.postgres import Postgres

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")]

CELLS, IN_FLIGHT = 120, 4
IN_FLIGHT_OF_BUILDS = 2
SOON_S = 12.0
"""Five seconds, and what a busy machine adds."""


def _content(fleet: Fleet, built: dict[str, Any]) -> str:
    """The hash of everything that a benchmark holds."""
    ((content,),) = fleet.rows("select content_hash from benchmarks where id = :id", id=built["benchmark_id"])
    return str(content)


@pytest.fixture
def builders(assembled: Callable[[Times, float], Fleet], asked: Asked, tmp_path: Path) -> Fleet:
    """Workers that build, on a plugin that writes down its calls, with a model as reference router."""
    fleet = assembled(Times(), 0.15)
    fleet.builds(tmp_path, concurrency=IN_FLIGHT_OF_BUILDS)
    return fleet


@pytest.mark.requirement("X3")
@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGKILL])
def test_a_build_goes_on_in_another_worker_and_what_it_paid_for_is_not_paid_again(
    builders: Fleet, asked: Asked, tmp_path: Path, signum: int
) -> None:
    calls = tmp_path / "calls.txt"
    builders.worker()
    whole = builders.ended(builders.build(8))
    paid, executed = asked.questions.total(), len(calls.read_text().splitlines())
    asked.questions.clear()
    calls.unlink()
    run = builders.build(8)
    builders.until(lambda: asked.questions.total() > paid // 3, run)
    first = builders.workers[0]
    ended = builders.end(first, signum)
    before = asked.questions.total()
    builders.worker()
    again = builders.ended(run)
    assert _content(builders, again) == _content(builders, whole)
    drained = signum == signal.SIGTERM
    assert (ended.code, bool(builders.heard(first, "gave_back"))) == ((0, True) if drained else (-signum, False))
    assert (builders.heard(builders.workers[1], "job") != [], before < paid) == (True, True)
    # Of what was in flight everything is kept where there was time for it, and nothing where there was not.
    in_flight = 0 if drained else IN_FLIGHT_OF_BUILDS
    assert paid <= asked.questions.total() <= paid + in_flight
    assert executed <= len(calls.read_text().splitlines()) <= executed + in_flight


@pytest.mark.requirement("X3")
def test_a_worker_leaves_soon_where_the_database_is_gone_and_nothing_kept_is_lost(
    fleet: Fleet, asked: Asked, postgres: Postgres
) -> None:
    leaving = fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.3 * CELLS, run)
    postgres.kill()
    begun = time.monotonic()
    ended = fleet.end(leaving)
    took = time.monotonic() - begun
    postgres.start()
    assert (ended.code, ended.err, took < SOON_S) == (0, "", True), (took, ended)
    told = [each["message"] for each in fleet.heard(leaving, "trouble")]
    assert any("cannot be reached" in sentence and "taken over" in sentence for sentence in told), told
    fleet.worker()
    outcome = fleet.ended(run)
    assert (outcome["rows"], outcome["errors"], asked.repeats <= IN_FLIGHT) == (CELLS, {}, True)
