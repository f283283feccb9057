"""Hard limits of a run hold for all its workers together, and one that goes on knows what others spent."""

import json
import os

import pytest

from doubles.fleet import ALL, Asked, Fleet
from doubles.forks import Forks
from doubles.judged import report_case, says

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX"),
    pytest.mark.requirement("P35"),
]

CELLS, IN_FLIGHT = 120, 2 * 4
CASES = 60


def test_workers_stop_together_at_a_limit_of_calls_and_go_on_under_a_higher_one(
    forks: Forks, fleet: Fleet, asked: Asked
) -> None:
    for _ in range(2):
        fleet.worker()
    ended = forks.wait(fleet.evaluate(CELLS, "--workers", "--max-calls", 50))
    assert ended.code == 3, ended
    printed = json.loads(ended.out)
    assert (asked.questions.total(), printed["limit"]) == (50, "the limit of 50 calls is reached (--max-calls)")
    assert printed["errors"] == {"limit_reached": CELLS - 50}
    assert max(fleet.asked_by().values()) < 50
    again = fleet.ended(fleet.resume("--last", "--max-calls", 500))
    assert (again["errors"], asked.questions.total(), asked.repeats) == ({}, CELLS, 0)


def test_a_judge_counts_in_the_limit_of_all_workers(forks: Forks, fleet: Fleet, asked: Asked) -> None:
    fleet.models["j"] = ""
    asked.judges["j"] = says("equal")
    for _ in range(2):
        fleet.worker()
    cases = [report_case(f"c{number:03}") for number in range(CASES)]
    options = ("--model", "m", "--judge", "j", "--concurrency", 4, *ALL)
    ended = forks.wait(fleet.measure(cases, *options, "--no-preflight", "--max-calls", 50))
    assert (ended.code, asked.questions.total() + asked.judged.total(), asked.judged.total() > 0) == (3, 50, True)
    again = fleet.ended(fleet.resume("--last", "--max-calls", 500))
    assert (again["errors"], again["grading"]["judge_outages"]) == ({}, 0)
    assert (asked.questions.total(), asked.judged.total()) == (CASES, CASES)
    assert again["grading"]["judge_stats"]["asked"] == CASES == again["calls"] - CASES


def test_workers_overshoot_a_limit_of_tokens_by_no_more_than_the_calls_in_flight(
    forks: Forks, fleet: Fleet, asked: Asked
) -> None:
    for _ in range(2):
        fleet.worker()
    ended = forks.wait(fleet.evaluate(CELLS, "--workers", "--max-tokens", 500))
    assert ended.code == 3, ended
    # Ten tokens an answer.
    assert 50 <= asked.questions.total() <= 50 + IN_FLIGHT
    assert json.loads(ended.out)["limit"] == "the limit of 500 tokens is reached (--max-tokens)"
