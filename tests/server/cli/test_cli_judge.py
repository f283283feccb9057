"""`plugineval judge`: one verdict a row, in order, with or without a judge; what cannot be graded says why."""

import json
from pathlib import Path
from typing import Any

import pytest

from doubles.cli import Called, endpoint, plugineval
from doubles.judged import Answer, asked, says, with_judges
from doubles.openai_server import Document, message, refusal
from plugineval.pccf.values import Json

KNOWN = Path(__file__).parent / "grader_rows.jsonl"
FIELDS = ["id", "verdict", "category", "subtype", "outcome", "outcome_strict", "rules", "reason"]
FIND: Document = {
    "name": "find",
    "input_schema": {
        "type": "object",
        "properties": {"city": {"type": "string", "description": "City."}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


def row(row_id: str | int, *, gold: str = "Bern", predicted: Json = "Bern", **more: Json) -> Document:
    """Gold and prediction as cities; anything but a text is the prediction itself."""
    if isinstance(predicted, str):
        predicted = [{"name": "find", "arguments": {"city": predicted}}]
    wanted: Json = [{"name": "find", "arguments": {"city": gold}}]
    return {"id": row_id, "query": "Find it.", "tools": [FIND], "gold": wanted, "predicted": predicted, **more}


def judged(folder: Path, rows: list[Document], *words: object) -> tuple[Called, list[dict[str, Any]]]:
    """The command and the lines it wrote."""
    source, out = folder / "rows.jsonl", folder / "verdicts.jsonl"
    source.write_text("".join(f"{json.dumps(found)}\n" for found in rows))
    called = plugineval("judge", "--file", source, "--out", out, "--home", folder / "home", *words)
    lines = out.read_text().splitlines() if out.exists() else []
    return called, [json.loads(line) for line in lines]


@pytest.mark.requirement("P38", "P42", "D4")
def test_every_row_gets_one_line_in_order_with_the_promised_fields(tmp_path: Path) -> None:
    rows = [row("same"), row(2, predicted="bern "), row("other", predicted="Biel"), row("none", predicted=[])]
    called, lines = judged(tmp_path, rows, "--judge", "none")
    assert called.code == 0
    assert [list(line) for line in lines] == [FIELDS] * 4
    assert [(line["id"], line["verdict"]) for line in lines] == [
        ("same", "correct"),
        ("2", "correct"),
        ("other", "unsure"),
        ("none", "incorrect"),
    ]
    assert (lines[3]["category"], lines[3]["outcome"]) == ("miss_recall", "no_call")
    assert "4 rows: 2 correct, 1 incorrect, 1 unsure" in called.err
    assert not (tmp_path / "home").exists()


@pytest.mark.requirement("P41", "P42", "B3", "D7", "D14", "E6")
def test_the_inputs_that_known_graders_get_wrong_come_out_right(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in KNOWN.read_text(encoding="utf-8").splitlines()]
    called, lines = judged(tmp_path, rows)
    assert called.code == 0
    for found, line in zip(rows, lines, strict=True):
        assert line.items() >= found["expected"].items(), line


@pytest.mark.requirement("D6")
@pytest.mark.parametrize(("policy", "failed"), [("ignore", 0), ("read_only", 1), ("forbid", 2)])
def test_extra_calls_fail_a_row_as_the_policy_says(tmp_path: Path, policy: str, failed: int) -> None:
    rows = [found for line in KNOWN.read_text().splitlines() if (found := json.loads(line))["id"].startswith("9")]
    _, lines = judged(tmp_path, rows, "--extra-calls", policy)
    assert sum(line["verdict"] == "incorrect" for line in lines) == failed


@pytest.mark.requirement("P41", "P42", "P51")
def test_the_handed_rows_are_right_and_semantic_ones_are_left_open(tmp_path: Path, shared_data: Path) -> None:
    source, out = shared_data / "cases" / "equivalence.jsonl", tmp_path / "verdicts.jsonl"
    assert plugineval("judge", "--file", source, "--judge", "none", "--out", out).code == 0
    rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    for found, line in zip(rows, lines, strict=True):
        assert line["verdict"] == ("unsure" if found["semantic"] else found["verdict"]), line
        assert found["semantic"] or found["harness_outcome"] in {None, line["outcome"]}, line
        assert found["semantic"] or found["harness_outcome_strict_schema"] in {None, line["outcome_strict"]}, line


@pytest.mark.requirement("X11")
def test_a_line_that_cannot_be_read_is_unsure_with_its_reason_and_the_code_is_3(tmp_path: Path) -> None:
    wrong: Json = [{"name": "nosuch", "arguments": {}}]
    broken: Document = {**row("broken"), "gold": wrong}
    called, lines = judged(tmp_path, [row("a"), broken, row("c")])
    assert called.code == 3
    assert [line["verdict"] for line in lines] == ["correct", "unsure", "correct"]
    assert "'nosuch' is not among the tools" in lines[1]["reason"]
    assert lines[1]["reason"] in called.err


@pytest.mark.requirement("P38", "P43", "X3")
def test_a_judge_settles_what_is_open_once_per_pair_and_is_remembered_by_the_home(tmp_path: Path) -> None:
    rows = [row("a", predicted="Biel"), row("b"), row("c", predicted="Biel"), row("d", predicted="Thun")]
    with endpoint(with_judges({"j": says("different", "incorrect_value")})) as server:
        words = ("--judge", "openai:j", "--base-url", server.base_url, "--json")
        called, lines = judged(tmp_path, rows, *words)
        assert asked(server, "j") == 2
        again, _ = judged(tmp_path, rows, *words)
        assert asked(server, "j") == 2
    assert (called.code, called.printed["stats"]["asked"], again.printed["stats"]["asked"]) == (0, 2, 0)
    assert [line["verdict"] for line in lines] == ["incorrect", "correct", "incorrect", "incorrect"]
    assert (lines[0]["category"], lines[0]["subtype"]) == ("parameter_error", "incorrect_value")
    assert lines[0]["rules"] == ["judge openai:j"]
    assert called.printed["counts"]["verdicts"] == {"correct": 1, "incorrect": 3, "unsure": 0}


@pytest.mark.requirement("P43", "P50")
def test_a_judge_without_a_verdict_leaves_the_row_unsure_as_its_own_failure(tmp_path: Path) -> None:
    with endpoint(with_judges({"j": lambda _: message("GRID: C")})) as server:
        words = ("--judge", "openai:j", "--base-url", server.base_url)
        called, lines = judged(tmp_path, [row("a", predicted="Biel"), row("b")], *words)
    assert called.code == 3
    assert [(line["verdict"], line["category"]) for line in lines] == [("unsure", "judge_failure"), ("correct", None)]


@pytest.mark.requirement("P43")
def test_a_judge_that_is_out_of_reach_is_asked_again_the_next_time(tmp_path: Path) -> None:
    answers: dict[str, Answer] = {"j": lambda _: refusal(400, "no")}
    with endpoint(with_judges(answers)) as server:
        words = ("--judge", "openai:j", "--base-url", server.base_url)
        called, lines = judged(tmp_path, [row("a", predicted="Biel")], *words)
        assert (called.code, lines[0]["category"]) == (3, "judge_failure")
        answers["j"] = says("equal")
        called, lines = judged(tmp_path, [row("a", predicted="Biel")], *words)
    assert (called.code, lines[0]["verdict"]) == (0, "correct")


@pytest.mark.requirement("P43")
def test_a_judge_that_cannot_be_used_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    called, lines = judged(tmp_path, [row("a")], "--judge", "nosuch")
    assert (called.code, lines) == (2, [])
    assert "nosuch" in called.err


def test_the_embedded_baseline_is_no_judge(tmp_path: Path) -> None:
    called, lines = judged(tmp_path, [row("a", predicted="Biel")], "--judge", "baseline:lexical", "--json")
    assert (called.code, called.printed["judge"], lines[0]["verdict"]) == (0, "none", "unsure")


@pytest.mark.requirement("B5")
def test_a_persons_own_check_decides_its_tool(tmp_path: Path) -> None:
    check = tmp_path / "checks.py"
    check.write_text(
        "from plugineval.clients.checks import semantic_check\n"
        "@semantic_check('find')\n"
        "def same(case, gold, predicted):\n"
        "    if predicted['city'] == 'crash':\n"
        "        raise RuntimeError('broken')\n"
        "    return gold['city'][0] == predicted['city'][0]\n"
    )
    rows = [row("a", predicted="Biel"), row("b", predicted="Thun"), row("c", predicted="crash")]
    called, lines = judged(tmp_path, rows, "--check", check)
    assert called.code == 3
    assert [line["verdict"] for line in lines] == ["correct", "incorrect", "unsure"]
    assert "broken" in lines[2]["reason"]
    assert f"check of find: {check}" in called.err


@pytest.mark.requirement("B5")
def test_the_check_that_the_readme_shows_decides_its_tool(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    check = tmp_path / "checks.py"
    check.write_text(readme.partition("```python\n")[2].partition("```")[0])
    find: Document = {"name": "find_user", "input_schema": {"type": "object"}}
    call: Json = [{"name": "find_user", "arguments": {"name": "Ann"}}]
    said: Json = [{"name": "find_user", "arguments": {"name": " ANN"}}]
    rows: list[Document] = [{"query": "Find Ann.", "tools": [find], "gold": call, "predicted": said}]
    called, lines = judged(tmp_path, rows, "--check", check)
    assert (called.code, lines[0]["verdict"], lines[0]["rules"]) == (0, "correct", ["semantic check"])


@pytest.mark.requirement("E6")
def test_calls_in_a_text_are_read_only_where_that_is_asked_for(tmp_path: Path) -> None:
    said = '<tool_call>{"name": "find", "arguments": {"city": "Bern"}}</tool_call>'
    rows: list[Document] = [row("a") | {"predicted": said}]
    assert judged(tmp_path, rows)[1][0]["reason"].startswith("the text attempts a call")
    assert judged(tmp_path, rows, "--salvage")[1][0]["verdict"] == "correct"


@pytest.mark.requirement("P59", "P46")
def test_3000_rows_of_2500_positives_and_500_negatives_are_a_normal_size(tmp_path: Path) -> None:
    rows = [row(n, gold=f"City {n}", predicted=f"city {n + (n % 10 == 0)}") for n in range(2500)]
    for n in range(500):
        negative: Document = {"gold": [], "sample_type": "targeted_negative", "target_tool": "find"}
        rows.append({**row(2500 + n, predicted="Bern" if n % 5 == 0 else []), **negative})
    called, lines = judged(tmp_path, rows, "--json")
    assert (called.code, [line["id"] for line in lines]) == (0, [str(n) for n in range(3000)])
    assert called.printed["counts"]["verdicts"] == {"correct": 2650, "incorrect": 350, "unsure": 0}
    assert called.printed["counts"]["categories"] == {"parameter_error": 250, "over_recall": 100}


def test_verdicts_go_to_stdout_where_no_file_is_named(tmp_path: Path) -> None:
    source = tmp_path / "rows.jsonl"
    source.write_text(json.dumps(row("a")) + "\n\n" + json.dumps(row("b")))
    called = plugineval("judge", "--file", source)
    assert [json.loads(line)["id"] for line in called.out.splitlines()] == ["a", "b"]
    both = plugineval("judge", "--file", source, "--json")
    assert (both.code, both.error["field"]) == (2, "--out")


@pytest.mark.parametrize("words", [("--file", "nosuch.jsonl"), ("--file", "rows.jsonl", "--out", "rows.jsonl")])
def test_a_file_that_cannot_be_read_or_would_be_overwritten_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps(row("a"))
    (tmp_path / "rows.jsonl").write_text(text)
    assert plugineval("judge", *words, "--json" if "--out" in words else "--salvage").code == 2
    assert (tmp_path / "rows.jsonl").read_text() == text


def test_a_file_without_rows_is_refused_and_leaves_the_verdicts_of_last_time_alone(tmp_path: Path) -> None:
    judged(tmp_path, [row("same")])
    for nothing in ("", "\n \n"):
        (tmp_path / "rows.jsonl").write_text(nothing)
        again = plugineval(
            "judge", "--file", tmp_path / "rows.jsonl", "--out", tmp_path / "verdicts.jsonl", "--home", tmp_path
        )
        assert again.code == 2
        assert "holds no rows" in again.err
    assert len((tmp_path / "verdicts.jsonl").read_text().splitlines()) == 1
