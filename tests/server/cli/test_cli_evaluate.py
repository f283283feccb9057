"""`plugineval evaluate` against numbers computed by hand, outages, and what `resume` asks again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from doubles.cli import BOOK, Called, addition, asked_for, case, cases_file, endpoint, obedient, plugineval
from doubles.openai_server import Document, Reply, refusal
from plugineval.pccf.values import Json

ONE_PLUS_ONE: Document = {"name": "add", "arguments": {"a": 1, "b": 1}}
NOON = "2026-03-01T12:00:00Z"
TABLE_AT_NOON: Document = {"name": "book.table", "arguments": {"when": NOON}}
DINNER = json.dumps({"book.table": {"when": NOON}})


def spelled(*calls: tuple[str, Json]) -> str:
    return "CALL " + json.dumps(dict(calls))


CASES: list[Document] = [
    addition("right-1", 1),
    addition("right-2", 2),
    case("right-dotted", f"CALL {DINNER}", TABLE_AT_NOON, difficulty="easy"),
    case("extra", spelled(("add", {"a": 1, "b": 1}), ("book.table", {"when": NOON})), ONE_PLUS_ONE),
    addition("value", 1, said=7),
    case("temporal", f"CALL {DINNER}", {"name": "book.table", "arguments": {"when": "2026-03-02T12:00:00Z"}}),
    case("missing", spelled(("add", {"a": 1})), ONE_PLUS_ONE),
    case("unknown-key", spelled(("add", {"a": 1, "b": 1, "c": 1})), ONE_PLUS_ONE),
    case("wrong-tool", f"CALL {DINNER}", ONE_PLUS_ONE),
    case("silent", "Say nothing.", ONE_PLUS_ONE),
    case("partial", spelled(("add", {"a": 1, "b": 1})), ONE_PLUS_ONE, TABLE_AT_NOON),
    case("target-kept", "Say nothing.", kind="targeted_negative", target_tool="add"),
    case("target-hit", spelled(("add", {"a": 1, "b": 1})), kind="targeted_negative", target_tool="add"),
    case("target-other", f"CALL {DINNER}", kind="targeted_negative", target_tool="add"),
    case("global-kept", "Say nothing.", kind="global_negative"),
    case("global-hit", f"CALL {DINNER}", kind="global_negative"),
    {"id": "nobody-said", "query": "Say nothing.", "tools": [BOOK], "gold": []},
]  # fmt: skip
CONFUSION = {"TP": 4, "FN": 7, "TN": 3, "FP": 2}
OUTCOMES = {
    "no_call": 1, "spurious_call": 3, "wrong_tool": 2, "invalid_args": 2, "valid_but_wrong": 2, "correct": 6,
}  # fmt: skip


def evaluated(folder: Path, cases: list[Document], url: str, *more: object) -> Called:
    path = cases_file(folder, cases)
    common = ("--model", "openai:m", "--base-url", url, "--concurrency", 4, "--home", folder / "home", "--json")
    return plugineval("evaluate", path, *common, *more)


@pytest.mark.requirement("B1", "P45", "P46", "P47", "P48", "P49")
@pytest.mark.parametrize("repeats", [1, 3])
def test_every_number_is_the_one_computed_by_hand(tmp_path: Path, repeats: int) -> None:
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, CASES, server.base_url, "--repeats", repeats)
    assert called.code == 0
    printed = called.printed
    assert printed["rows"] == len(CASES) * repeats
    assert printed["errors"] == {"both_empty": repeats}
    (model,) = printed["models"]
    assert model["confusion"] == {name: number * repeats for name, number in CONFUSION.items()}
    assert model["outcomes"] == {name: number * repeats for name, number in OUTCOMES.items()}
    assert model["recall"] == pytest.approx(4 / 11)
    assert model["accuracy"] == pytest.approx(7 / 16)
    report = plugineval("report", "--home", tmp_path / "home", "--json").printed
    measured = report["models"][0]
    assert measured["errors"]["temporal"]["numerator"] == repeats
    assert {name: rate["numerator"] for name, rate in measured["errors"].items()} == {
        name: number * repeats
        for name, number in {
            "miss": 3, "parameter": 4, "over": 2, "temporal": 1, "missing": 1, "value": 2, "judge_failure": 0,
        }.items()
    }  # fmt: skip
    assert {model["rows"] for model in printed["floors"]} == {len(CASES) * repeats}


def down_for(*ids: str) -> Callable[[Document], Reply]:
    def answer(request: Document) -> Reply:
        down = any(f"case {case_id}:" in asked_for(request) for case_id in ids)
        return refusal(401, "the key was revoked") if down else obedient(request)

    return answer


@pytest.mark.requirement("E3", "X3", "X11")
def test_rows_without_an_answer_are_counted_and_resume_asks_for_them_alone(tmp_path: Path) -> None:
    cases = [addition(f"c{number}", number) for number in range(6)]
    with endpoint(down_for("c2", "c4")) as server:
        called = evaluated(tmp_path, cases, server.base_url, "--repeats", 1)
        assert called.code == 3
        assert called.printed["errors"] == {"access_denied": 2}
        run = called.printed["run_id"]
        assert f"2 of 6 rows were never answered (2 access_denied). Next: run `plugineval resume {run}" in called.err
        still = plugineval("resume", run, "--home", tmp_path / "home", "--json")
        assert (still.code, still.printed["errors"]) == (3, {"access_denied": 2})
        server.answer = obedient
        asked = len(server.requests)
        done = plugineval("resume", run, "--home", tmp_path / "home", "--json")
        assert sorted(asked_for(request).split(":")[0] for request in server.requests[asked:]) == ["case c2", "case c4"]
        again = plugineval("resume", run, "--home", tmp_path / "home", "--json")
        assert len(server.requests) == asked + 2
    assert (done.code, done.printed["errors"], done.printed["rows"]) == (0, {}, 6)
    assert done.printed["models"][0]["confusion"] == {"TP": 6, "FN": 0, "TN": 0, "FP": 0}
    assert again.printed == done.printed
    report = plugineval("report", run, "--home", tmp_path / "home", "--json").printed
    assert report["models"][0]["exclusions"] == {}


@pytest.mark.requirement("X11")
def test_refused_lines_are_said_counted_and_listed_in_the_report(tmp_path: Path) -> None:
    broken = case("b", "q", {"name": "nope", "arguments": {}})
    with endpoint(obedient) as server:
        called = evaluated(tmp_path, [addition("a", 1), broken], server.base_url, "--repeats", 1)
    assert (called.code, called.printed["rows"], called.printed["refused_cases"]) == (3, 1, 1)
    assert "1 line of cases.jsonl refused, not measured. Next: " in called.err
    said = "line 2 (b), gold[0].name: 'nope' is not among the tools: add, book.table"
    assert f"refused: {said}" in called.err
    report = plugineval("report", "--home", tmp_path / "home", "--markdown").out
    assert f"`Refused: {said}`" in report
    assert "on a cases file (1 of 2 lines refused); 2 tools" in report.splitlines()[0]
    assert "unknown traffic" in report.splitlines()[0]


def test_a_job_that_failed_goes_on_when_what_broke_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("M_KEY", "k")
    config = tmp_path / "plugineval.toml"
    places = ("--config", config, "--home", tmp_path / "home", "--json")
    with endpoint(down_for("c1")) as server:
        config.write_text(f'[models.m]\nmodel = "x"\nbase_url = "{server.base_url}"\napi_key_env = "M_KEY"\n')
        path = cases_file(tmp_path, [addition(f"c{number}", number) for number in range(3)])
        run = plugineval("evaluate", path, "--model", "m", "--repeats", 1, *places).printed["run_id"]
        monkeypatch.delenv("M_KEY")
        failed = plugineval("resume", run, *places)
        assert failed.code == 2
        assert "M_KEY" in str(failed.error["problem"])
        monkeypatch.setenv("M_KEY", "k")
        server.answer = obedient
        asked = len(server.requests)
        done = plugineval("resume", run, *places)
        assert (done.code, len(server.requests) - asked) == (0, 1)
    assert done.printed["models"][0]["confusion"]["TP"] == 3


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("gone.jsonl", "No such file"),
        (".", "there is no benchmark '.'"),
        ("bench-1234", "there is no benchmark 'bench-1234'"),
    ],
)
def test_what_cannot_be_measured_is_one_object_with_the_next_step(tmp_path: Path, what: str, said: str) -> None:
    called = plugineval("evaluate", what, "--model", "degenerate:never-call", "--home", tmp_path, "--json")
    assert called.code == called.error["exit_code"] == 2
    assert said in str(called.error["problem"])
    assert "jsonl" in f"{called.error['next_step']} {called.error['field']}"
    assert called.err.count("\n") == 1
