"""`plugineval regrade`: no model is asked, both gradings stay, and a judge never silently takes another's place."""

import json
from pathlib import Path

import pytest

from doubles.cli import Called, addition, cases_file, endpoint, plugineval
from doubles.judged import SAID, asked, evaluated, in_home, report_case, says, with_judges
from doubles.openai_server import Document, OpenAIServer, refusal

CASES = [report_case("a"), report_case("b", said="the lid is lost"), addition("sum", 1), addition("off", 2, said=7)]
JUDGES = {"a": says("equal"), "b": says("different", "incorrect_value")}


def regraded(folder: Path, run: str, server: OpenAIServer, *more: object) -> Called:
    return in_home(folder, "regrade", run, "--base-url", server.base_url, *more)


def measured(folder: Path, server: OpenAIServer, *more: object) -> str:
    return str(evaluated(folder, CASES, server, "--repeats", 1, *more).printed["run_id"])


@pytest.mark.requirement("X9")
def test_another_judge_grades_the_same_answers_and_both_gradings_stay(tmp_path: Path) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server, "--judge", "openai:a")
        own = in_home(tmp_path, "report", run).printed
        routed = asked(server, "m")
        called = regraded(tmp_path, run, server, "--judge", "openai:b")
        assert (called.code, asked(server, "m"), asked(server, "b")) == (0, routed, 2)
    found = called.printed
    assert (found["calls"], found["rows"], found["side_by_side"]["flipped"]) == (2, 4, 2)
    assert [flip["case_id"] for flip in found["side_by_side"]["flips"]] == ["a", "b"]
    assert [(found[name]["judge"], found[name]["id"]) for name in ("against", "grading")] == [
        ("openai:a", "first"),
        ("openai:b", found["grading_id"]),
    ]
    judges = found["judges"]
    assert (judges["first"], judges["second"], judges["common"]) == ("openai:a", "openai:b", 2)
    assert judges["table"]["equal"] == {"equal": 0, "different": 2, "failure": 0}
    assert in_home(tmp_path, "report", run).printed == own
    again = in_home(tmp_path, "report", found["grading_id"]).printed
    assert (again["grading"]["judge"], own["grading"]["judge"]) == ("openai:b", "openai:a")
    assert again["models"][0]["confusion"] == {"TP": 1, "FN": 3, "TN": 0, "FP": 0}
    assert own["models"][0]["confusion"] == {"TP": 3, "FN": 1, "TN": 0, "FP": 0}


@pytest.mark.requirement("X9")
def test_a_person_sees_the_new_report_both_judges_with_their_days_and_the_flips(tmp_path: Path) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server, "--judge", "openai:a")
        options = ("--judge", "openai:b", "--base-url", server.base_url, "--home", tmp_path / "home")
        shown = plugineval("regrade", run, *options).out
    day = in_home(tmp_path, "report", run).printed["grading"]["at"][:10]
    assert "Rows: openai:a (prompt" in shown
    assert shown.count(day) >= 4
    assert "Judge against judge" in shown
    assert "Flipped rows" in shown
    assert "Both gradings say the same of 50.0 % (2/4) rows" in shown


@pytest.mark.requirement("X9")
def test_rules_alone_grade_again_without_any_call(tmp_path: Path) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server, "--judge", "openai:a")
        requests = len(server.requests)
        called = regraded(tmp_path, run, server, "--judge", "none")
        assert (called.code, len(server.requests)) == (0, requests)
    found = called.printed
    assert (found["calls"], found["judges"], found["grading"]["judge"]) == (0, None, "none")
    crossings = {(row["old"], row["new"]): row["rows"] for row in found["side_by_side"]["table"]}
    assert crossings["correct", "excluded: unsure"] == 2


@pytest.mark.requirement("X9")
def test_a_third_grading_is_laid_beside_the_second_where_that_is_asked(tmp_path: Path) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server)
        second = regraded(tmp_path, run, server, "--judge", "openai:a").printed
        third = regraded(tmp_path, run, server, "--judge", "openai:b", "--against", second["grading_id"]).printed
        missing = regraded(tmp_path, run, server, "--against", "grading-x")
    assert (second["judges"], third["against"]["judge"], third["judges"]["common"]) == (None, "openai:a", 2)
    assert missing.code == 2
    assert set(missing.error["allowed"]) == {"first", second["grading_id"], third["grading_id"]}


@pytest.mark.requirement("X9", "X4")
def test_revised_gold_is_graded_beside_the_old_and_the_old_report_expires(tmp_path: Path) -> None:
    revised = tmp_path / "revised.jsonl"
    revised.write_text(json.dumps(report_case("a", gold=SAID)) + "\n" + json.dumps(addition("off", 7)) + "\n")
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server)
        assert in_home(tmp_path, "report", run).printed["expiry"]["expired"] is False
        called = regraded(tmp_path, run, server, "--gold", revised)
    found = called.printed
    assert (called.code, found["side_by_side"]["flipped"]) == (0, 2)
    assert found["grading"]["note"] == "gold of 2 cases revised from revised.jsonl: a, off"
    old, new = in_home(tmp_path, "report", run).printed, in_home(tmp_path, "report", found["grading_id"]).printed
    assert [reason["kind"] for reason in old["expiry"]["reasons"]] == ["gold_revised"]
    assert new["expiry"]["expired"] is False
    shown = plugineval("report", run, "--home", tmp_path / "home").out
    assert shown.startswith("EXPIRED (gold revised: cases.jsonl): measure again before quoting a number.")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (report_case("nobody"), "the run has no case 'nobody'"),
        (report_case("a"), "it revises no gold of this run"),
        ({"id": "a"}, "line 1 (a)"),
        (addition("a", 1), "gold of a calls 'add', which was not offered"),
    ],
)
def test_gold_that_cannot_be_used_is_refused(tmp_path: Path, line: Document, said: str) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server)
        path = cases_file(tmp_path, [line])
        called = regraded(tmp_path, run, server, "--gold", path)
    assert (called.code, called.error["field"]) == (2, str(path))
    assert said in called.error["problem"]


@pytest.mark.requirement("X9", "X3")
def test_a_judge_that_is_out_leaves_the_regrading_to_be_resumed_and_asks_only_what_is_open(tmp_path: Path) -> None:
    judges = dict(JUDGES)
    with endpoint(with_judges(judges)) as server:
        run = measured(tmp_path, server)
        judges["b"] = lambda request: JUDGES["b"](request) if "lid" in str(request) else refusal(401, "revoked")
        called = regraded(tmp_path, run, server, "--judge", "openai:b")
        grading = called.printed["grading_id"]
        assert (called.code, called.printed["grading"]["judge_outages"]) == (3, 1)
        assert f"The judge did not answer for 1 rows. Next: run `plugineval resume {grading}" in called.err
        judges["b"] = JUDGES["b"]
        before = asked(server, "b"), asked(server, "m")
        done = in_home(tmp_path, "resume", grading)
        assert (asked(server, "b") - before[0], asked(server, "m")) == (1, before[1])
        again = in_home(tmp_path, "resume", grading)
        assert asked(server, "b") - before[0] == 1
    assert (done.code, done.printed["grading"]["judge_outages"], done.printed["side_by_side"]["flipped"]) == (0, 0, 2)
    assert again.printed == done.printed


@pytest.mark.requirement("P43")
def test_a_judge_without_its_key_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    config = tmp_path / "plugineval.toml"
    config.write_text('[models.j]\nmodel = "x"\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "NO_SUCH_KEY"\n')
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server)
        called = regraded(tmp_path, run, server, "--judge", "j", "--config", config)
        missing = regraded(tmp_path, run, server, "--against", "x")
    assert (called.code, called.error["kind"]) == (2, "ConfigurationError")
    assert missing.error["allowed"] == ["first"]


@pytest.mark.requirement("B5", "D6", "X9")
def test_checks_and_the_policy_of_extra_calls_grade_again_too(tmp_path: Path) -> None:
    path = tmp_path / "any.py"
    path.write_text("CHECKS = {'file_report': lambda case, gold, predicted: True}\n")
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server)
        found = regraded(tmp_path, run, server, "--check", path, "--extra-calls", "forbid").printed
    assert found["grading"]["checks"] == {"file_report": str(path)}
    assert found["grading"]["policy"] == {"extra_calls": "forbid", "meaning": "settle"}
    crossings = {(row["old"], row["new"]): row["rows"] for row in found["side_by_side"]["table"]}
    assert crossings["excluded: unsure", "correct"] == 2


def test_a_run_that_is_not_there_is_named(tmp_path: Path) -> None:
    called = in_home(tmp_path, "regrade", "run-x")
    assert (called.code, called.error["field"]) == (2, "run")


def test_a_judge_that_takes_no_key_stops_a_regrading_with_one_question_and_without_a_preflight_all_are_asked(
    tmp_path: Path,
) -> None:
    with endpoint(with_judges(JUDGES)) as server:
        run = measured(tmp_path, server, "--judge", "openai:a")
        server.ready = False
        server.answer = lambda _: refusal(401, "bad key")
        before = len(server.requests)
        stopped = regraded(tmp_path, run, server, "--judge", "openai:b")
        assert (stopped.code, len(server.requests) - before) == (2, 1)
        assert "preflight of openai:b: HTTP 401" in stopped.error["problem"]
        anyway = regraded(tmp_path, run, server, "--judge", "openai:b", "--no-preflight")
        assert (anyway.code, anyway.printed["grading"]["judge_outages"]) == (3, 2)
        server.ready, server.answer = True, with_judges(JUDGES)
        done = in_home(tmp_path, "resume", stopped.error["job_id"])
    assert (done.code, done.printed["grading"]["judge"], done.printed["calls"]) == (0, "openai:b", 2)
