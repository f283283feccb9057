"""`plugineval audit import`, and files in other formats wherever cases are measured."""

import json
from pathlib import Path

import pytest

from doubles.cli import ADD, case, cases_file, plugineval
from plugineval.pccf.values import Json

pytestmark = pytest.mark.requirement("X5")


def bfcl_files(folder: Path) -> Path:
    """Two questions with their answers beside them; one more that is no case."""
    function: dict[str, Json] = {"name": "add", "description": "Add", "parameters": ADD["input_schema"]}
    ids = ("simple_1", "simple_2", "live_relevance_3")
    rows = [
        {"id": name, "question": [[{"role": "user", "content": f"{name}: add 1 and 2"}]], "function": [function]}
        for name in ids
    ]
    right = {"simple_1": 2, "simple_2": "x"}
    answers = [{"id": name, "ground_truth": [{"add": {"a": [1], "b": [b]}}]} for name, b in right.items()]
    (folder / "possible_answer").mkdir(parents=True)
    (folder / "questions.json").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "possible_answer" / "questions.json").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    return folder / "questions.json"


def test_rules_find_what_is_wrong_in_a_file_of_another_format(tmp_path: Path) -> None:
    path = bfcl_files(tmp_path / "data")
    found = plugineval("audit", "import", path, "--format", "bfcl", "--json")
    assert found.code == 1
    printed = found.printed
    assert (printed["cases"], printed["wrong"], len(printed["refused"])) == (2, 1, 1)
    assert printed["kinds"] == {"unpassable": 1, "schema": 1}
    told = plugineval("audit", "import", path, "--format", "bfcl")
    assert "no valid call can meet the gold" in told.out
    assert "refused: line 3 (live_relevance_3)" in told.err


def test_records_that_were_refused_leave_the_audit_incomplete(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "a"}\n{"id": "b"}\n')
    found = plugineval("audit", "import", path, "--json")
    assert (found.code, found.printed["cases"], len(found.printed["refused"])) == (3, 0, 2)


def test_our_own_cases_are_checked_by_the_same_rules(tmp_path: Path) -> None:
    sound = case("a", "Add 1 and 2.", {"name": "add", "arguments": {"a": 1, "b": 2}})
    found = plugineval("audit", "import", cases_file(tmp_path, [sound]), "--json")
    assert (found.code, found.printed["wrong"], found.printed["grounding"]) == (0, 0, {"query": 2})


def test_a_file_of_another_format_is_measured_like_any_other(tmp_path: Path) -> None:
    path = bfcl_files(tmp_path / "data")
    words = ("--format", "bfcl", "--model", "baseline:lexical", "--repeats", 1, "--home", tmp_path / "home", "--json")
    found = plugineval("evaluate", path, *words)
    assert found.code == 3
    assert (found.printed["rows"], found.printed["refused_cases"]) == (2, 1)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("import", "FILE", "--sheet", "x"), "--sheet"),
        (("reference", "b", "--format", "bfcl"), "--format"),
        (("reference", "b", "--grading", "g"), "--grading"),
        (("import", "FILE", "--format", "nexusraven"), "--tools"),
        (("import", "nothing.json"), "nothing.json"),
    ],
)
def test_options_and_files_that_do_not_belong_are_refused_by_name(
    tmp_path: Path, words: tuple[str, ...], field: str
) -> None:
    path = str(bfcl_files(tmp_path / "data"))
    given = [path if word == "FILE" else word for word in words]
    found = plugineval("audit", *given, "--home", tmp_path / "home", "--json")
    assert (found.code, found.error["field"]) == (2, field)
