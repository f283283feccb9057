"""`plugineval evaluate` with a judge, checks and variants: what they cost, what they settle, and how they fail."""

import json
from pathlib import Path

import pytest

from doubles.cli import addition, asked_for, endpoint, obedient, plugineval
from doubles.judged import Answer, asked, evaluated, graded_model, in_home, report_case, says, with_judges
from doubles.openai_server import Document, Reply, message, refusal

CASES = [report_case("a"), report_case("b"), addition("sum", 1)]


@pytest.mark.requirement("P38", "P42", "B5")
def test_a_judge_settles_what_rules_leave_open_once_for_every_pair(tmp_path: Path) -> None:
    with endpoint(with_judges({"j": says("equal")})) as server:
        without = evaluated(tmp_path, CASES, server, "--repeats", 2)
        assert (without.code, without.printed["errors"]) == (0, {"unsure": 4})
        assert "4 rows of 6 hang on meaning. Next: let a model settle them, `plugineval regrade" in without.err
        judged = evaluated(tmp_path, CASES, server, "--repeats", 2, "--judge", "openai:j")
        # Case `a` and case `b` have their own queries, which a judge sees; two repeats of one are one question.
        assert asked(server, "j") == 2
    assert (judged.code, judged.printed["errors"], graded_model(judged)["confusion"]["TP"]) == (0, {}, 6)
    grading = judged.printed["grading"]
    assert (grading["judge"], grading["judge_stats"]["equal"], len(grading["version"])) == ("openai:j", 2, 64)
    report = in_home(tmp_path, "report", judged.printed["run_id"]).printed
    assert report["grading"] == grading
    assert report["run"]["config"]["meaning"] == "ask"
    shown = plugineval("report", judged.printed["run_id"], "--home", tmp_path / "home", "--markdown").out
    assert f"`openai:j, prompt {grading['version'][:12]}`" in shown
    assert "2 equal, 0 different, failures: none; 2 questions asked" in shown


@pytest.mark.requirement("P43")
def test_a_judge_without_its_key_is_refused_before_anything_costs(tmp_path: Path) -> None:
    config = tmp_path / "plugineval.toml"
    with endpoint(obedient) as server:
        table = f'model = "x"\nbase_url = "{server.base_url}"\napi_key_env = "NO_SUCH_KEY"\n'
        config.write_text(f'[roles]\njudge = "j"\n[models.j]\n{table}')
        refused = evaluated(tmp_path, CASES, server, "--config", config)
        assert (refused.code, refused.error["kind"]) == (2, "ConfigurationError")
        assert "NO_SUCH_KEY" in refused.error["problem"]
        assert server.requests == []
        assert evaluated(tmp_path, CASES, server, "--config", config, "--judge", "none").code == 0


@pytest.mark.requirement("P43", "P45", "P50", "X11")
def test_an_answer_that_is_no_verdict_is_retried_a_little_and_is_the_judges_failure(tmp_path: Path) -> None:
    with endpoint(with_judges({"j": lambda _: message("[[90]]")})) as server:
        called = evaluated(tmp_path, [report_case("a")], server, "--repeats", 1, "--judge", "openai:j")
        assert asked(server, "j") == 3
    model = graded_model(called)
    assert (called.code, model["judge_failures"], model["confusion"]["FN"]) == (0, 1, 1)
    assert sum(model["outcomes"].values()) == 0
    report = in_home(tmp_path, "report").printed
    assert report["grading"]["judge_stats"]["failures"] == {"out_of_range": 1}
    assert [sample["kind"] for sample in report["excluded"]] == ["judge_failure"]


@pytest.mark.requirement("X3", "E3")
def test_a_judge_that_does_not_answer_leaves_the_run_incomplete_and_resume_asks_it_alone(tmp_path: Path) -> None:
    judges: dict[str, Answer] = {"j": lambda _: refusal(401, "revoked")}
    with endpoint(with_judges(judges)) as server:
        called = evaluated(tmp_path, CASES, server, "--repeats", 1, "--judge", "openai:j")
        assert (called.code, called.printed["grading"]["judge_outages"]) == (3, 2)
        assert "2 of 3 rows were never answered (2 judge_outage). Next: run `plugineval resume" in called.err
        judges["j"] = says("equal")
        routed, before = asked(server, "m"), asked(server, "j")
        done = in_home(tmp_path, "resume", called.printed["run_id"])
        assert (asked(server, "m"), asked(server, "j") - before) == (routed, 2)
    assert (done.code, graded_model(done)["confusion"]["TP"], done.printed["grading"]["judge_outages"]) == (0, 3, 0)


@pytest.mark.requirement("X3")
def test_a_resumed_run_repeats_no_answer_of_its_judge(tmp_path: Path) -> None:
    down = {"b": True}

    def answer(request: Document) -> Reply:
        if request["model"] == "j":
            return says("different", "incorrect_value")(request)
        broken = any(down[name] and f"case {name}:" in asked_for(request) for name in down)
        return refusal(401, "revoked") if broken else obedient(request)

    with endpoint(answer) as server:
        called = evaluated(tmp_path, CASES, server, "--repeats", 1, "--judge", "openai:j")
        assert (called.code, asked(server, "j")) == (3, 1)
        down["b"] = False
        done = in_home(tmp_path, "resume", called.printed["run_id"])
        assert (done.code, asked(server, "j")) == (0, 2)
    assert graded_model(done)["outcomes"]["valid_but_wrong"] == 2
    stats = done.printed["grading"]["judge_stats"]
    assert (stats["asked"], stats["cached"], stats["different"]) == (1, 1, 2)


@pytest.mark.requirement("P17")
def test_a_judge_that_is_measured_itself_is_said_to_be_biased(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        evaluated(tmp_path, [addition("sum", 1)], server, "--judge", "openai:m", "--repeats", 1)
    notes = in_home(tmp_path, "report").printed["run"]["notes"]
    assert notes == ["Bias warning: openai:m is a model under test and the judge at once"]


CHECK = """
from plugineval.clients.checks import semantic_check

@semantic_check("file_report", examples=[({"damage": "x"}, {"damage": "y"}, %s)])
def alike(case, gold, predicted):
    return "crack" in gold["damage"] and "crack" in predicted["damage"]
"""


@pytest.mark.requirement("B5")
def test_a_persons_own_check_decides_and_is_named_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "alike.py"
    path.write_text(CHECK % False)
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, CASES, server, "--repeats", 1, "--check", path)
    assert (called.code, called.printed["errors"], graded_model(called)["confusion"]["TP"]) == (0, {}, 3)
    assert called.printed["grading"]["checks"] == {"file_report": str(path)}
    assert f"check of file_report: {path}" in called.err


@pytest.mark.requirement("B5")
def test_a_check_that_fails_its_own_example_is_refused_before_anything_costs(tmp_path: Path) -> None:
    path = tmp_path / "alike.py"
    path.write_text(CHECK % True)
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, CASES, server, "--check", path)
        assert (called.code, server.requests) == (2, [])
    assert called.error["problem"] == "the check says False, the example says True"


@pytest.mark.requirement("D6")
def test_the_policy_of_extra_calls_is_the_command_lines(tmp_path: Path) -> None:
    extra = addition("sum", 1) | {
        "query": 'CALL {"add": {"a": 1, "b": 1}, "book.table": {"when": "2026-03-01T12:00:00Z"}}'
    }
    with endpoint(obedient) as server:
        ignored = evaluated(tmp_path, [extra], server, "--repeats", 1)
        refused = evaluated(tmp_path, [extra], server, "--repeats", 1, "--extra-calls", "forbid")
    assert graded_model(ignored)["outcomes"]["correct"] == 1
    assert graded_model(refused)["outcomes"]["spurious_call"] == 1


@pytest.mark.requirement("X7")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("v.toml", 'add = "Sums up"\n[book]\ntable = "Reserve a table"\n'),
        ("v.json", json.dumps({"add": "Sums up", "book.table": "Reserve a table"})),
    ],
)
def test_variants_are_measured_beside_the_published_descriptions(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)

    def answer(request: Document) -> Reply:
        return message("no idea") if "Sums up" in json.dumps(request["tools"]) else obedient(request)

    cases = [addition(f"c{number}", number) for number in range(3)]
    with endpoint(answer) as server:
        variant = f"terse={tmp_path / name}"
        called = evaluated(tmp_path, cases, server, "--repeats", 2, "--variant", variant)
        assert asked(server, "m") == 12
        run = called.printed["run_id"]
        assert in_home(tmp_path, "resume", run).printed == called.printed
        assert asked(server, "m") == 12
    assert (called.code, called.printed["rows"], graded_model(called)["rows"]) == (0, 12, 6)
    (found,) = in_home(tmp_path, "report", run).printed["variants"]
    assert (found["variant"], found["published"]["numerator"], found["varied"]["numerator"]) == ("terse", 6, 0)


@pytest.mark.requirement("X7")
@pytest.mark.parametrize(
    ("written", "text", "said"),
    [
        ("terse", "", "'terse' is not NAME=FILE"),
        ("terse=FILE", None, "No such file"),
        ("terse=FILE", 'add = "Sums up"\nad = "?"\n', "no case offers the tool 'ad'"),
        ("terse=FILE", 'add = "Add two numbers"\n', "it changes no description"),
        ("terse=FILE", "add = 3\n", "the description of 'add' is a int, not a text"),
        ("terse=FILE", "add = \n", "cannot be read"),
        ("terse=FILE", "", "describes no tool"),
    ],
)
def test_a_variant_that_cannot_be_used_is_refused_before_anything_costs(
    tmp_path: Path, written: str, text: str | None, said: str
) -> None:
    path = tmp_path / "v.toml"
    if text is not None:
        path.write_text(text)
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, [addition("c", 1)], server, "--variant", written.replace("FILE", str(path)))
        assert (called.code, server.requests) == (2, [])
    assert said in f"{called.error['field']} {called.error['problem']}"


@pytest.mark.requirement("X11", "X3")
def test_an_outage_under_a_variant_alone_leaves_the_run_incomplete_too(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text('{"add": "Sums up"}')

    def answer(request: Document) -> Reply:
        return refusal(401, "no") if "Sums up" in json.dumps(request["tools"]) else obedient(request)

    with endpoint(answer) as server:
        called = evaluated(
            tmp_path, [addition("c", 1)], server, "--repeats", 1, "--variant", f"v={tmp_path / 'v.json'}"
        )
    assert (called.code, called.printed["errors"], called.printed["rows"]) == (3, {"access_denied": 1}, 2)
