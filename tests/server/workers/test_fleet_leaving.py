"""A worker that is told to leave is gone in time, whatever holds it, and has lost nothing that was kept."""

import os
import time

import pytest

from doubles.fleet import Asked, Fleet
from doubles.postgres import Postgres

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")]

CELLS, IN_FLIGHT = 120, 4
SOON_S = 12.0
"""Five seconds, and what a busy machine adds."""


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
