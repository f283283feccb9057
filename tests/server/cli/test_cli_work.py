"""`plugineval work`: the queue for people and scripts, on the database that the waiting command works on."""

import json
import threading
from pathlib import Path

import pytest

from doubles.cli import ADD, plugineval, started

pytestmark = pytest.mark.requirement("X2")

CASE = {
    "id": "c1",
    "query": "Add 1 and 2.",
    "tools": [ADD],
    "gold": [{"name": "add", "arguments": {"a": 1, "b": 2}}],
    "sample_type": "positive",
}
RIGHT = {"calls": [{"name": "add", "arguments": {"a": 1, "b": 2}}]}


def test_a_command_waits_for_its_agent_and_goes_on_when_the_work_is_done(tmp_path: Path) -> None:
    home, cases = tmp_path / "home", tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(CASE), encoding="utf-8")
    places = ("--home", home, "--json")
    running = started("evaluate", cases, "--model", "agent", "--repeats", "2", *places)
    overdue = threading.Timer(90, running.kill)
    overdue.start()
    assert running.stderr is not None
    said = next(line for line in running.stderr if "waiting for work" in line)
    assert "2 answer_as_model" in said
    assert f"plugineval serve --home {home}" in said.replace("python -m ", "") or str(home) in said
    batch = plugineval("work", "next", "--limit", "8", "--model", "by-hand", *places).printed
    (group,) = batch["groups"]
    answers = [{"item_id": item["item_id"], "answer": RIGHT} for item in group["items"]]
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"lease_id": batch["lease_id"], "answers": [{**answers[0], "answer": {}}, answers[1]]}))
    refused = plugineval("work", "submit", file, *places)
    assert (refused.code, refused.printed["accepted"], refused.printed["refused"]) == (1, 1, 1)
    assert "calls" in refused.printed["results"][0]["reason"]
    assert refused.printed["next_step"].startswith("mend what was refused")
    file.write_text(json.dumps({"lease_id": batch["lease_id"], "answers": answers}))
    assert plugineval("work", "submit", file, *places).code == 0
    out, _ = running.communicate()
    overdue.cancel()
    assert running.returncode == 0
    assert json.loads(out)["models"][0]["accuracy"] == 1.0


def test_answers_of_a_part_of_a_lease_are_told_how_many_are_left_for_whoever_holds_it(tmp_path: Path) -> None:
    home, cases, file = tmp_path / "home", tmp_path / "cases.jsonl", tmp_path / "answers.json"
    cases.write_text(json.dumps(CASE), encoding="utf-8")
    running = started("evaluate", cases, "--model", "agent", "--repeats", "3", "--home", home, "--json")
    overdue = threading.Timer(90, running.kill)
    overdue.start()
    assert running.stderr is not None
    assert any("waiting for work" in line for line in running.stderr)
    places = ("--home", home, "--json")
    batches = [plugineval("work", "next", "--limit", n, "--model", "by-hand", *places).printed for n in ("2", "1")]
    ids = [item["item_id"] for item in batches[0]["groups"][0]["items"]]
    told: list[str] = []
    for item_id in ids:
        answers = [{"item_id": item_id, "answer": RIGHT}]
        file.write_text(json.dumps({"lease_id": batches[0]["lease_id"], "answers": answers}))
        told.append(plugineval("work", "submit", file, *places).printed["next_step"])
    running.kill()
    running.communicate()
    overdue.cancel()
    assert told[0].startswith("answer the 1 items that are left of this lease")
    assert told[1].startswith("you hold 1 items without an answer")


def test_people_read_the_items_and_are_told_where_there_are_none(tmp_path: Path) -> None:
    told = plugineval("work", "next", "--home", tmp_path / "home")
    assert told.code == 0
    assert "nothing waits; look at `plugineval runs --home " in told.out


@pytest.mark.parametrize(("text", "problem"), [("{", "JSON"), ('{"lease_id": "x"}', "answers")])
def test_a_file_of_answers_that_is_none_is_refused_with_its_form(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(text, encoding="utf-8")
    found = plugineval("work", "submit", file, "--home", tmp_path / "home", "--json")
    assert found.code == 2
    assert problem in json.dumps(found.error)
    assert "lease_id" in json.dumps(found.error)


def test_judging_a_file_has_no_job_that_an_agent_could_answer(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({**CASE, "predicted": []}), encoding="utf-8")
    found = plugineval("judge", "--file", rows, "--judge", "agent", "--home", tmp_path / "home")
    assert found.code == 2
    assert "inside jobs only" in found.err


def test_sampling_from_the_command_line_names_the_queue_instead(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(CASE), encoding="utf-8")
    found = plugineval("evaluate", cases, "--model", "sampling", "--home", tmp_path / "home")
    assert found.code == 2
    assert "work_next" in found.err
