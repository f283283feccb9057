import json
from dataclasses import dataclass, field

import pytest

from doubles.construction import DOWN, NOW, scenario, tool
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.coverage.writing import PromptedQueryWriter
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.roles import WritingTask
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P21", "P28")]

WEATHER, CLOCK = tool("weather"), tool("clock")
BOTH = Toolset(tools=(WEATHER, CLOCK))


@dataclass
class ScriptedChat:
    replies: list[ChatReply]
    id: str = "scripted-chat"
    requests: list[ChatRequest] = field(default_factory=list[ChatRequest])

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        return self.replies.pop(0)


def saying(*answers: Json) -> ScriptedChat:
    return ScriptedChat([ChatReply(text=json.dumps(answer)) for answer in answers])


def writer(chat: ScriptedChat) -> PromptedQueryWriter:
    return PromptedQueryWriter(chat, lambda: NOW)


def task(kind: ScenarioKind = ScenarioKind.TRIGGER) -> WritingTask:
    return WritingTask(
        scenario=scenario(kind, "weather"),
        tool=WEATHER,
        toolset=BOTH,
        difficulty=Difficulty.MEDIUM,
        count=2,
        avoid=("an old request",),
        evidence=("turned down because",),
    )


async def test_scenarios_get_ids_from_their_content_and_only_type_b_a_lookalike() -> None:
    derived: list[Json] = [
        {"kind": "trigger", "title": "Now", "evidence": "Tells", "lookalike": "clock"},
        {"kind": "type_b", "title": "Hour", "lookalike": "clock"},
    ]
    first = await writer(saying({"scenarios": derived})).scenarios(WEATHER, BOTH)
    again = await writer(saying({"scenarios": derived[::-1]})).scenarios(WEATHER, BOTH)
    assert [(s.kind.value, s.target, s.title, s.lookalike) for s in first] == [
        ("trigger", "weather", "Now", None),
        ("type_b", "weather", "Hour", "clock"),
    ]
    assert {s.id for s in first} == {s.id for s in again}
    assert first[0].id.startswith("weather.trigger.")


async def test_queries_carry_the_clock_their_origin_and_the_prompt_hash() -> None:
    chat = saying({"queries": [{"text": "Oslo tomorrow?", "inference_steps": ["tomorrow is March 2"]}]})
    answer = await writer(chat).write(task())
    (candidate,) = answer.candidates
    assert (candidate.query.text, candidate.query.now, candidate.query.origin) == ("Oslo tomorrow?", NOW, "synthetic")
    assert (candidate.scenario, candidate.difficulty) == (task().scenario.id, Difficulty.MEDIUM)
    assert candidate.inference_steps == ("tomorrow is March 2",)
    assert len(answer.prompt_hash) == 64


async def test_a_negative_has_no_inference_steps_whatever_the_model_says() -> None:
    chat = saying({"queries": [{"text": "Sing", "inference_steps": ["why"]}]})
    answer = await writer(chat).write(task(ScenarioKind.TYPE_A))
    assert answer.candidates[0].inference_steps == ()


async def test_the_model_sees_what_is_short_what_exists_and_why_others_failed() -> None:
    chat = saying({"queries": []})
    await writer(chat).write(task())
    system, user = chat.requests[0].turns
    shown = ("Write 2 requests of difficulty medium", "an old request", "turned down because", "Tells the clock.")
    assert [part in user.content for part in shown] == [True] * 4
    assert "Tells the weather." not in system.content
    assert chat.requests[0].answer_schema is not None


@pytest.mark.parametrize(
    "bad", ["Sure! {}", '{"queries": [{"text": "a", "gold": {}}]}', '{"queries": [{"text": 5}]}', "[]"]
)
async def test_an_unreadable_answer_is_asked_for_again_with_the_problem_told(bad: str) -> None:
    chat = ScriptedChat([ChatReply(text=bad), ChatReply(text='{"queries": [{"text": "a"}]}')])
    answer = await writer(chat).write(task())
    assert [c.query.text for c in answer.candidates] == ["a"]
    first, second = chat.requests
    assert second.turns[:2] == first.turns
    assert [turn.role for turn in second.turns[2:]] == ["assistant", "user"]
    assert second.turns[2].content == bad


async def test_three_unreadable_answers_are_a_parse_failure_and_never_an_empty_answer() -> None:
    answer = await writer(ScriptedChat([ChatReply(text="no") for _ in range(3)])).write(task())
    assert answer.candidates == ()
    assert answer.failure is not None
    assert answer.failure.kind is FailureKind.PARSE_FAILURE


async def test_a_model_that_is_down_is_handed_on_at_once() -> None:
    chat = ScriptedChat([ChatReply(failure=DOWN), ChatReply(failure=DOWN)])
    answer = await writer(chat).write(task())
    assert (answer.failure, len(chat.requests)) == (DOWN, 1)
    with pytest.raises(IncompleteError, match="no scenarios for weather, provider_error: down"):
        await writer(chat).scenarios(WEATHER, BOTH)
