"""Hard limits of a run: it stops cleanly, says so, and goes on under a higher one with what was spent counted."""

import json
from pathlib import Path

import pytest

from doubles.cli import Called, addition, cases_file, endpoint, kill_when, obedient, plugineval, started
from doubles.judged import asked, report_case, says, with_judges
from doubles.openai_server import OpenAIServer

pytestmark = pytest.mark.requirement("P35", "X11")

CASES = 40
HIGH = ("--max-calls", 1000, "--max-tokens", 1_000_000, "--max-cost", 1000)
PRICES = "prices = { input_per_million = 1000, output_per_million = 1000 }"
"""A cent an answer of ten tokens."""


def place(home: Path, server: OpenAIServer, *, prices: str = PRICES) -> Path:
    """The file of cases in a home whose model is `fast`."""
    (home / "plugineval.toml").write_text(f'[models.fast]\nmodel = "m"\nbase_url = "{server.base_url}"\n{prices}\n')
    return cases_file(home, [addition(f"c{number}", number) for number in range(CASES)])


def evaluated(home: Path, cases: Path, *words: object) -> Called:
    """A run of 40 cells, four at a time."""
    asked = ("--model", "fast", "--repeats", 1, "--concurrency", 4, "--no-preflight", "--home", home)
    return plugineval("evaluate", cases, *asked, *words)


@pytest.mark.parametrize(
    ("limit", "answers", "told"),
    [
        (("--max-calls", 10), (10, 10), "the limit of 10 calls is reached"),
        (("--max-tokens", 100), (10, 13), "the limit of 100 tokens is reached"),
        (("--max-cost", 0.1), (10, 13), "the limit of 0.1 dollars is reached"),
    ],
)
def test_a_limit_ends_a_run_within_the_calls_in_flight(
    tmp_path: Path, limit: tuple[str, float], answers: tuple[int, int], told: str
) -> None:
    with endpoint(obedient) as server:
        done = evaluated(tmp_path, place(tmp_path, server), *limit, "--json")
    assert done.code == 3, done
    assert answers[0] <= len(server.requests) <= answers[1]
    assert done.printed["limit"].startswith(told)
    assert done.printed["errors"] == {"limit_reached": CASES - len(server.requests)}
    assert f"{done.printed['limit']}; a higher one lets it go on" in done.err
    assert f"resume {done.printed['run_id']} {limit[0]} N" in done.err


def test_a_floor_that_has_no_tokens_to_tell_does_not_end_a_run_that_is_limited_in_tokens(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        done = evaluated(tmp_path, place(tmp_path, server), *HIGH, "--model", "baseline:lexical", "--json")
    assert (done.code, done.printed["errors"]) == (0, {}), done
    assert len(server.requests) == CASES


def test_repeats_that_no_run_would_end_with_are_refused_at_once(tmp_path: Path) -> None:
    cases = cases_file(tmp_path, [addition("c1", 1)])
    asked = ("--model", "baseline:lexical", "--repeats", 10**21, "--home", tmp_path)
    refused = plugineval("evaluate", cases, *asked)
    assert (refused.code, "--repeats" in refused.err) == (2, True), refused


def test_a_run_that_a_limit_ended_goes_on_under_a_higher_one_and_what_was_spent_counts(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        first = evaluated(tmp_path, place(tmp_path, server), "--max-calls", 10, "--json")
        run_id = first.printed["run_id"]
        again = plugineval("resume", run_id, "--home", tmp_path, "--json")
        asked = len(server.requests)
        less = plugineval("resume", run_id, "--max-calls", 10, "--home", tmp_path, "--json")
        more = plugineval("resume", run_id, "--max-calls", 25, "--home", tmp_path, "--json")
        most = plugineval("resume", run_id, "--max-calls", 1000, "--home", tmp_path, "--json")
    assert (again.code, asked) == (3, 10)
    assert (less.code, less.error["problem"]) == (2, "10 calls are used already")
    assert (more.code, more.printed["errors"]) == (3, {"limit_reached": CASES - 25})
    assert (most.code, most.printed["errors"], most.printed["limit"]) == (0, {}, "")
    assert len(server.requests) == CASES


def test_a_cost_that_nobody_knows_stops_instead_of_being_ignored(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        done = evaluated(tmp_path, place(tmp_path, server, prices=""), "--max-cost", 1, "--json")
    assert done.code == 3
    assert "cost of an answer is unknown" in done.printed["limit"]
    assert len(server.requests) <= 4


def test_a_killed_process_leaves_a_limit_that_still_holds(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        cases = place(tmp_path, server)
        server.latency_s = 0.2
        asked = ("--model", "fast", "--repeats", 1, "--concurrency", 4, "--no-preflight", "--home", tmp_path)
        kill_when(lambda: len(server.requests) >= 14, started("evaluate", cases, *asked, "--max-calls", 30))
        server.latency_s = 0
        done = plugineval("resume", "--last", "--home", tmp_path, "--json")
    assert done.code == 3, done
    assert len(server.requests) <= 30
    assert json.dumps(done.printed["errors"]).startswith('{"limit_reached"')


def test_a_limit_of_nothing_is_refused(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        done = evaluated(tmp_path, place(tmp_path, server), "--max-calls", 0, "--json")
    assert (done.code, server.requests) == (2, [])


@pytest.mark.parametrize("limit", [("--max-calls", 25), ("--max-tokens", 250), ("--max-cost", 0.25)])
def test_what_a_judge_is_asked_counts_like_what_the_model_is_asked(tmp_path: Path, limit: tuple[str, float]) -> None:
    with endpoint(with_judges({"j": says("equal")})) as server:
        place(
            tmp_path, server, prices=f'{PRICES}\n[models.judge]\nmodel = "j"\nbase_url = "{server.base_url}"\n{PRICES}'
        )
        cases = cases_file(tmp_path, [report_case(f"c{number}") for number in range(CASES)])
        done = evaluated(tmp_path, cases, "--judge", "judge", *limit, "--json")
        assert asked(server, "j") > 0
        assert 25 <= len(server.requests) <= 25 + 4 * (limit[0] != "--max-calls")
        more = plugineval("resume", done.printed["run_id"], *HIGH, "--home", tmp_path, "--json")
        assert (more.code, asked(server, "j"), asked(server, "m")) == (0, CASES, CASES)
    assert (done.code, done.printed["limit"] != "") == (3, True)
    assert sum(done.printed["errors"].values()) + done.printed["grading"]["judge_outages"] >= CASES - 25
    notes = plugineval("report", done.printed["run_id"], "--home", tmp_path, "--json").printed["run"]["notes"]
    assert [note for note in notes if "limits" in note] == [
        "Hard limits: at most 1,000 calls, 1,000,000 tokens, 1,000.0 dollars, of the models under test and of the "
        "judge, in all processes and restarts; first questions apart"
    ]
