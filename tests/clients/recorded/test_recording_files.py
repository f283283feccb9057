"""A recording file keeps what models said, however odd, and answers where several cases asked the same."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from plugineval.clients.recorded.ledger import RecordedLedger, RecordedPlayer
from plugineval.clients.recorded.lines import RecordedModel, RecordingHeader, RoleLine, RouteLine, question_of
from plugineval.clients.recorded.reading import read_recording
from plugineval.clients.recorded.recording import Recording
from plugineval.clients.recorded.writing import write_recording
from plugineval.pccf.ledger import CallKey, Unjournaled
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.values import Json


def header(answers: int) -> RecordingHeader:
    models = {"m": RecordedModel(answers=answers)}
    return RecordingHeader(
        recorded_at=datetime(2026, 3, 1, tzinfo=UTC), kind="build", source="j", about="b", models=models
    )


def test_half_a_surrogate_pair_is_kept_as_the_model_emitted_it(tmp_path: Path) -> None:
    said = "half \ud83d of a pair"
    line = RouteLine(model="m", asked="a", toolset="t", seed=0, text="x", reply=RouterReply(text=said))
    write_recording(tmp_path / "odd.jsonl", header(1), [line], lambda value: value)
    assert read_recording(tmp_path / "odd.jsonl").routes("m", "a", "t", 0)[0].reply.text == said


def key(case: str, model: str, request: Json = None) -> CallKey:
    return CallKey(stage="vote", model=model, case=case, request=request)


async def nobody() -> Json:
    raise AssertionError("a recorded answer is there")


@pytest.mark.anyio
async def test_cases_that_ask_the_same_keep_answers_of_their_own_however_often_they_ask() -> None:
    question = question_of(key("", "m", ["m says yes"]))
    lines = [
        RoleLine(model="m", stage="vote", question=question, repeat=0, case=case, answer={"vote": case})
        for case in ("one", "two")
    ]
    player = RecordedPlayer(Recording("kept.jsonl", header(2), lines), "m")
    ledger = RecordedLedger(Unjournaled(), {"recorded:kept": player})
    asked = [key(case, "recorded:kept", ["recorded:kept says yes"]) for case in ("x", "y", "x", "y")]
    assert [await ledger.call(each, nobody) for each in asked] == [
        {"vote": case} for case in ("one", "two", "one", "two")
    ]
