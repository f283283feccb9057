"""A question to a person is known by an id nobody can guess, holds for one tool of one job, and is answered once."""

from pathlib import Path

import pytest

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.tools import ToolSpec
from plugineval.server.trust.requests import JobConfirmations, Requests

WRITE = ToolSpec(plugin="notes", name="write", description="Write a note.", input_schema={"type": "object"})
ERASE = ToolSpec(plugin="notes", name="erase", input_schema={"type": "object"})


def test_a_tool_is_asked_for_once_in_a_job_with_the_first_arguments(tmp_path: Path) -> None:
    said = JobConfirmations(Requests(tmp_path), "job-1")
    assert said.of(WRITE, {"text": "a"}).state == "pending"
    assert said.of(WRITE, {"text": "b"}).state == "pending"
    (asked,) = Requests(tmp_path).of_job("job-1")
    assert (asked.plugin, asked.tool, asked.arguments) == ("notes", "write", {"text": "a"})


def test_an_answer_holds_for_its_tool_in_its_job_alone(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    requests.answer(requests.open("job-1", WRITE, {}), granted=True, by="command line")
    assert JobConfirmations(requests, "job-1").of(WRITE, {}).state == "granted"
    assert JobConfirmations(requests, "job-1").of(ERASE, {}).state == "pending"
    assert JobConfirmations(requests, "job-2").of(WRITE, {}).state == "pending"


def test_a_tool_that_is_described_in_another_way_is_another_tool(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    requests.answer(requests.open("job-1", WRITE, {}), granted=True, by="command line")
    changed = WRITE.model_copy(update={"description": "Write a note, and send it."})
    assert JobConfirmations(requests, "job-1").of(changed, {}).state == "pending"


def test_a_refusal_says_who_refused(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    requests.answer(requests.open("job-1", WRITE, {}), granted=False, by="command line")
    said = JobConfirmations(requests, "job-1").of(WRITE, {})
    assert said.state == "refused"
    assert "a person refused it for this job (command line)" in said.reason


def test_a_question_is_answered_once(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    asked = requests.open("job-1", WRITE, {})
    requests.answer(asked, granted=False, by="command line")
    with pytest.raises(ConfigurationError, match="answered already"):
        requests.answer(asked, granted=True, by="command line")
    assert requests.get(asked.id).state == "refused"


def test_ids_cannot_be_guessed_and_a_part_of_one_opens_nothing(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    ids = [requests.open(f"job-{number}", WRITE, {}).id for number in range(5)]
    assert len(set(ids)) == 5
    assert min(map(len, ids)) >= 32
    for wrong in (ids[0][:-1], ids[0].upper(), "", "../" + ids[0], "job-1"):
        with pytest.raises(ConfigurationError, match="no such request"):
            requests.get(wrong)


def test_what_waits_is_what_nobody_answered(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    first, second = requests.open("job-1", WRITE, {}), requests.open("job-1", ERASE, {})
    requests.answer(first, granted=True, by="command line")
    assert [each.id for each in requests.pending("job-1")] == [second.id]
    assert [each.id for each in requests.pending()] == [second.id]
    assert requests.pending("job-2") == ()


def test_a_job_id_cannot_lead_out_of_the_home(tmp_path: Path) -> None:
    Requests(tmp_path / "home").open("../../elsewhere", WRITE, {})
    assert [path.name for path in tmp_path.iterdir()] == ["home"]
