"""`plugineval selftest`: a table of relations, exit 1 where a verdict moved, and any file of cases or answers."""

import json
from pathlib import Path

import pytest

from doubles.cli import ADD, Called, case, cases_file, plugineval
from doubles.openai_server import Document
from plugineval.harness.selftest import self_test
from plugineval.harness.selftest.relations import Relation
from plugineval.harness.selftest.rows import TrialRow
from plugineval.pccf.routing import EmittedCall


@pytest.mark.requirement("X6")
def test_the_built_in_rows_pass_and_the_table_says_how_many() -> None:
    called = plugineval("selftest")
    assert called.code == 0
    assert "no verdict moved" in called.out
    assert "number spelling" in called.out
    printed = plugineval("selftest", "--json").printed
    assert (printed["moved"], len(printed["relations"])) == (0, 9)
    assert f"{printed['rows']} rows" in called.out


@pytest.mark.requirement("X6")
def test_a_verdict_that_moves_fails_the_command_and_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(row: TrialRow) -> TrialRow:
        return row._replace(calls=(EmittedCall(name="nosuch", arguments={}),))

    moved = Relation(name="key order", sentence="broken", again=broken)
    defaults = self_test.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "relations", (moved,))
    called = plugineval("selftest")
    assert called.code == 1
    assert "verdicts moved" in called.out
    assert "key order, weather-1: correct correct became incorrect miss_recall wrong_tool" in called.err
    assert plugineval("selftest", "--json").printed["moved"] > 0


def rows_of(called: Called) -> int:
    return int(called.printed["rows"])


@pytest.mark.requirement("X6")
def test_a_file_of_cases_or_of_answers_is_tried_too(tmp_path: Path) -> None:
    wanted: Document = {"name": "add", "arguments": {"a": 1, "b": 2}}
    cases = cases_file(tmp_path, [case("one", "1 + 2", wanted, tools=[ADD])])
    called = plugineval("selftest", cases, "--json")
    assert (called.code, rows_of(called), called.printed["moved"]) == (0, 6, 0)
    answers = tmp_path / "answers.jsonl"
    answers.write_text(json.dumps(json.loads(cases.read_text()) | {"predicted": [wanted]}))
    assert rows_of(plugineval("selftest", answers, "--json")) == 7


def test_what_is_no_benchmark_and_no_file_is_refused(tmp_path: Path) -> None:
    assert plugineval("selftest", "nosuch", "--home", tmp_path, "--json").error["kind"] == "UnknownNameError"
    assert plugineval("selftest", tmp_path / "nosuch.jsonl").code == 2
