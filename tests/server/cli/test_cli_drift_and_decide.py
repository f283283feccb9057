"""`plugineval drift` and `plugineval decide`: exit codes, sentences with their numbers, and the routing note."""

import json
from pathlib import Path

import pytest

from doubles.cli import addition, endpoint, obedient, plugineval
from doubles.judged import evaluated, in_home, says, with_judges
from doubles.openai_server import Document, OpenAIServer, Reply, message

CASES = [addition(f"c{number:02}", number) for number in range(20)]


def measured(folder: Path, server: OpenAIServer, cases: list[Document] = CASES) -> str:
    return str(evaluated(folder, cases, server, "--repeats", 2).printed["run_id"])


@pytest.mark.requirement("B27")
def test_a_run_that_is_the_same_again_has_not_moved_and_one_that_got_worse_fails(tmp_path: Path) -> None:
    worse = False

    def answer(request: Document) -> Reply:
        forgets = any(f"case c{number:02}:" in str(request["messages"]) for number in range(12))
        return message("no idea") if worse and forgets else obedient(request)

    with endpoint(answer) as server:
        old, same = measured(tmp_path, server), measured(tmp_path, server)
        worse = True
        new = measured(tmp_path, server)
    still, moved = (in_home(tmp_path, "drift", old, other) for other in (same, new))
    assert (still.code, still.printed["moved"], still.printed["scope"]) == (0, False, [])
    assert (moved.code, moved.printed["moved"], moved.printed["changed_cases"]) == (1, True, 12)
    recall = next(metric for metric in moved.printed["metrics"] if metric["metric"] == "recall")
    assert (recall["old"]["numerator"], recall["new"]["numerator"]) == (40, 16)
    assert recall["difference"]["high"] < 0
    shown = plugineval("drift", old, new, "--home", tmp_path / "home")
    assert shown.code == 1
    assert shown.out.startswith("Moved: recall of openai:m -60.0 points (")
    assert "Changed cases" in shown.out


@pytest.mark.requirement("B27", "B19")
def test_a_changed_scope_is_said_first(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        old, new = measured(tmp_path, server), measured(tmp_path, server, CASES[:10])
    shown = plugineval("drift", old, new, "--home", tmp_path / "home").out
    assert shown.startswith("The scope changed (")
    assert "the numbers are of two things." in shown
    assert "Cases gone: 10." in shown


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        run = measured(tmp_path, server, CASES[:2])
    same, gone = in_home(tmp_path, "drift", run, run), in_home(tmp_path, "drift", run, "run-x")
    assert (same.code, gone.code) == (2, 2)
    assert "are the same run" in same.error["problem"]
    assert "there is no run 'run-x'" in gone.error["problem"]


@pytest.mark.requirement("B12", "B17", "B26")
def test_the_decision_comes_with_its_numbers_caveats_and_a_routing_note(tmp_path: Path) -> None:
    quiet = with_judges({"quiet": lambda _: message("no idea"), "shy": lambda _: message("what?")})
    note = tmp_path / "routing.md"
    with endpoint(quiet) as server:
        models = ("--model", "openai:quiet", "--model", "openai:shy")
        run = str(evaluated(tmp_path, CASES, server, "--repeats", 1, *models).printed["run_id"])
    decided = in_home(tmp_path, "decide", run, "--note", note).printed
    assert (decided["decision"]["recommendation"], decided["decision"]["why"]) == ("model", "models_vary")
    assert decided["sentence"].startswith("Choose openai:m and stop editing the prompt. Mostly no_call: 100.0 % of 40")
    assert decided["caveats"][0] == "One repeat: the run-to-run spread was not measured."
    assert decided["expiry"]["reasons"] == []
    (route,) = decided["routing_note"]["routes"]
    assert (route["tool"], route["use"], len(route["avoid"])) == ("add", ["openai:m"], 2)
    assert "- `add`: `openai:m`; not any of `openai:quiet`, `openai:shy`" in note.read_text(encoding="utf-8")
    shown = plugineval("decide", run, "--home", tmp_path / "home")
    assert shown.code == 0
    assert shown.out.splitlines()[0].startswith("Scope: cases.jsonl")
    assert "Failed cases               20                         at least 8" in shown.out


@pytest.mark.requirement("B26", "X4")
def test_a_routing_note_of_an_expired_report_says_so_first(tmp_path: Path) -> None:
    revised, note = tmp_path / "revised.jsonl", tmp_path / "routing.md"
    revised.write_text(json.dumps(addition("c00", 99)) + "\n")
    with endpoint(with_judges({"j": says("equal")})) as server:
        run = measured(tmp_path, server, CASES[:3])
    assert in_home(tmp_path, "regrade", run, "--gold", revised).code == 0
    assert in_home(tmp_path, "decide", run, "--note", note).code == 0
    assert note.read_text(encoding="utf-8").startswith("**EXPIRED (gold revised: cases.jsonl)")


def test_a_run_without_a_model_under_test_decides_nothing(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        path = evaluated(tmp_path, CASES[:1], server, "--repeats", 1).printed["run_id"]
    floors = in_home(tmp_path, "evaluate", tmp_path / "cases.jsonl", "--model", "degenerate:never-call").printed
    assert in_home(tmp_path, "decide", path).code == 0
    refused = in_home(tmp_path, "decide", floors["run_id"])
    assert (refused.code, refused.error["problem"]) == (2, "it measured no model but floors")


def test_a_note_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with endpoint(obedient) as server:
        run = measured(tmp_path, server, CASES[:1])
    refused = in_home(tmp_path, "decide", run, "--note", tmp_path / "nowhere" / "note.md")
    assert (refused.code, refused.error["field"]) == (2, str(tmp_path / "nowhere" / "note.md"))
