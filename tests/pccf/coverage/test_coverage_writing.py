import json
from dataclasses import dataclass, field

import pytest

from doubles.construction import DOWN, NOW, scenario, tool
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.coverage.distances import wanted
from plugineval.pccf.coverage.writing import LISTED_KEPT, PromptedQueryWriter
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.roles import LookAlike, ScenarioTask, StrengtheningTask, WritingTask
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
        missed=("verified, but easy",),
        returned=("clock returned: noon",),
    )


async def test_scenarios_get_ids_from_their_content_and_only_type_b_a_lookalike() -> None:
    derived: list[Json] = [
        {"kind": "trigger", "title": "Now", "evidence": "Tells", "lookalike": "clock"},
        {"kind": "type_b", "title": "Hour", "lookalike": "clock"},
    ]
    first = (await writer(saying({"scenarios": derived})).scenarios(derivation())).scenarios
    again = (await writer(saying({"scenarios": derived[::-1]})).scenarios(derivation())).scenarios
    assert [(s.kind.value, s.target, s.title, s.lookalike) for s in first] == [
        ("trigger", "weather", "Now", None),
        ("type_b", "weather", "Hour", "clock"),
    ]
    assert {s.id for s in first} == {s.id for s in again}
    assert first[0].id.startswith("weather.trigger.")


async def test_other_tools_are_listed_by_the_beginning_of_their_description_and_the_target_is_shown_whole() -> None:
    long = BOTH.tools[1].model_copy(update={"description": "Tells the clock. " * 100})
    chat = saying({"queries": []})
    await writer(chat).write(task().model_copy(update={"toolset": Toolset(tools=(WEATHER, long)), "tool": long}))
    shown = chat.requests[0].turns[1].content
    assert shown.count("Tells the clock.") == 100 + LISTED_KEPT // len("Tells the clock. ")


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
    asked = ("Requests to write: 2, of difficulty medium", "an old request", "Tells the clock.")
    lessons = ("turned down because", "verified, but easy", "clock returned: noon")
    assert [part for part in (*asked, *lessons) if part not in user.content] == []
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
    derived = await writer(chat).scenarios(derivation())
    assert (derived.failure, derived.scenarios) == (DOWN, ())


def derivation(*, chains: bool = False) -> ScenarioTask:
    return ScenarioTask(tool=WEATHER, toolset=BOTH, lookalikes=(ALIKE,), chains=chains)


@pytest.mark.requirement("P23", "P44")
async def test_a_model_is_shown_the_measured_look_alikes_and_gives_chains_only_where_they_are_wanted() -> None:
    derived: list[Json] = [{"kind": kind, "title": kind, "then": ["clock"], "ordered": True} for kind in KINDS]
    wanting, not_wanting = saying({"scenarios": derived}), saying({"scenarios": derived})
    chained = (await writer(wanting).scenarios(derivation(chains=True))).scenarios
    single = (await writer(not_wanting).scenarios(derivation())).scenarios
    assert [(s.kind.value, s.then, s.ordered) for s in chained] == [
        ("trigger", ("clock",), True),
        ("type_a", (), False),
    ]
    assert all((s.then, s.ordered) == ((), False) for s in single)
    assert chained[0].id != single[0].id
    assert "Chains are wanted" in wanting.requests[0].turns[0].content
    assert "Chains are unwanted" in not_wanting.requests[0].turns[0].content
    assert '"clock": 0.47' in wanting.requests[0].turns[1].content


KINDS = ("trigger", "type_a")
ALIKE = LookAlike(tool="clock", similarity=0.4712, measure="letters/1")


def too_easy(**change: object) -> StrengtheningTask:
    weak = StrengtheningTask(
        scenario=scenario(ScenarioKind.TYPE_B, "weather", lookalike="clock"),
        tool=WEATHER,
        toolset=BOTH,
        query=Query.of_text("What time is it?", now=NOW),
        difficulty=Difficulty.HARD,
        observed=Difficulty.EASY,
        evidence=("runs 0, 1: the router saw that weather must not be called",),
        avoid=("an old request",),
    )
    return weak.model_copy(update=change)


@pytest.mark.requirement("P32", "P27")
async def test_a_negative_is_strengthened_with_the_recognition_evidence_as_data() -> None:
    chat = saying({"text": "When the weather turns, what time is it?"})
    answer = await writer(chat).strengthen(too_easy())
    (candidate,) = answer.candidates
    assert (candidate.query.text, candidate.query.now) == ("When the weather turns, what time is it?", NOW)
    assert (candidate.difficulty, candidate.inference_steps) == (Difficulty.HARD, ())
    system, user = chat.requests[0].turns
    told = ("saw that weather must not be called", "What time is it?", "an old request", "at least 0.45")
    assert [part in user.content for part in told] == [True] * 4
    assert not any(part in system.content for part in told)
    assert len(answer.prompt_hash) == 64


@pytest.mark.requirement("P32")
@pytest.mark.parametrize("text", [None, " "])
async def test_no_harder_wording_is_a_normal_answer(text: str | None) -> None:
    answer = await writer(saying({"text": text})).strengthen(too_easy())
    assert (answer.candidates, answer.failure) == ((), None)


async def test_a_model_that_is_down_strengthens_nothing_and_says_so() -> None:
    answer = await writer(ScriptedChat([ChatReply(failure=DOWN)])).strengthen(too_easy())
    assert (answer.candidates, answer.failure) == ((), DOWN)


@pytest.mark.requirement("P27")
async def test_the_writer_of_a_negative_is_told_the_measured_target() -> None:
    negative, positive = saying({"queries": []}), saying({"queries": []})
    await writer(negative).write(task(ScenarioKind.TYPE_A))
    await writer(positive).write(task())
    assert wanted(ScenarioKind.TYPE_A, Difficulty.MEDIUM) in negative.requests[0].turns[1].content
    assert "similarity" not in positive.requests[0].turns[1].content
