"""Workers judge together: a question that two shards meet is put once, and what was judged is told once."""

import os

import pytest

from doubles.fleet import ALL, Asked, Fleet
from doubles.forks import Fork
from doubles.judged import report_case, says

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")]

QUESTIONS, IN_FLIGHT = 40, 2 * 2 * 8
MODELS = ("m", "n", "o")


@pytest.fixture
def judged(fleet: Fleet, asked: Asked) -> Fleet:
    """Two workers, models that all say the same, and a judge."""
    fleet.models |= {"n": "", "o": "", "j": ""}
    asked.judges["j"] = says("equal")
    for _ in range(2):
        fleet.worker()
    return fleet


def measured(fleet: Fleet, *words: object) -> Fork:
    """A run in which every question is met once for each model."""
    cases = [report_case(f"c{number:03}") for number in range(QUESTIONS)]
    named = [word for model in MODELS for word in ("--model", model)]
    return fleet.measure(cases, *named, "--judge", "j", "--no-preflight", "--concurrency", 8, *words)


def test_a_question_that_several_shards_meet_is_put_once_in_a_run(judged: Fleet, asked: Asked) -> None:
    outcome = judged.ended(measured(judged, *ALL))
    assert (len(asked.judged), asked.judged.total()) == (QUESTIONS, QUESTIONS)
    stats = outcome["grading"]["judge_stats"]
    assert (stats["asked"], stats["equal"], stats["different"]) == (QUESTIONS, QUESTIONS, 0)
    assert stats["asked"] + stats["cached"] == QUESTIONS * len(MODELS)
    assert outcome["calls"] == QUESTIONS * (1 + len(MODELS))
    assert judged.rows("select count(*) from claims") == [(0,)]


def test_a_question_of_a_killed_worker_is_put_again_by_another(judged: Fleet, asked: Asked) -> None:
    run = measured(judged, *ALL)
    judged.until(lambda: asked.judged.total() > QUESTIONS // 3, run)
    judged.workers[0].kill()
    stats = judged.ended(run)["grading"]["judge_stats"]
    assert (len(asked.judged), asked.judged.total() <= QUESTIONS + IN_FLIGHT) == (QUESTIONS, True)
    assert (stats["asked"], stats["equal"]) == (QUESTIONS, QUESTIONS)
