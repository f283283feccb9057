"""The depth annotator played by a chat model, and what all tries of one answer spent together."""

from collections.abc import Iterator

import pytest

from doubles.stage_one import OUT, WEATHER, call, returned
from plugineval.pccf.chat import ChatReply, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.roles import DepthVoted, ProposalTask
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value
from plugineval.pccf.verification import (
    PromptedArgumentEvaluator,
    PromptedDepthAnnotator,
    PromptedGenerator,
    PromptedLevelAnnotator,
    PromptedResultEvaluator,
)

pytestmark = pytest.mark.anyio
QUERY = Query.of_text("Weather in the capital of Norway for the weekend?")
CALL = call(city="Oslo", days=2)
ONCE = Spent(calls=1, input_tokens=30, output_tokens=5, cost=0.02)


class Model:
    """A chat model that says one text after the other, each for the price of `ONCE`, and fails where there is none."""

    id = "chat"

    def __init__(self, *texts: str | None) -> None:
        self.requests: list[ChatRequest] = []
        self._texts: Iterator[str | None] = iter(texts)

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.requests.append(request)
        text = next(self._texts)
        return ChatReply(spent=ONCE, failure=OUT) if text is None else ChatReply(text=text, spent=ONCE)


async def told(*texts: str | None) -> DepthVoted:
    return await PromptedDepthAnnotator(Model(*texts)).depth(QUERY, WEATHER, CALL)


@pytest.mark.requirement("P26")
async def test_a_vote_holds_the_steps_that_were_named() -> None:
    answer = await told('{"steps": ["the capital is Oslo", " ", "a weekend has 2 days"], "reason": "two facts"}')
    assert answer.vote is not None
    assert answer.vote.steps == ("the capital is Oslo", "a weekend has 2 days")
    assert (answer.vote.annotator, len(answer.vote.prompt_hash)) == ("chat", 64)


@pytest.mark.requirement("P26")
async def test_it_sees_query_tool_and_call_and_nothing_that_the_writer_meant() -> None:
    model = Model('{"steps": [], "reason": "r"}')
    await PromptedDepthAnnotator(model).depth(QUERY, WEATHER, CALL)
    shown = model.requests[0].turns[-1].content
    assert shown.count('<data name="') == 3
    assert all(word in shown for word in ("capital of Norway", "Weather of a city", '"days": 2'))


@pytest.mark.parametrize("text", ['{"steps": 2, "reason": "r"}', '{"steps": [1], "reason": "r"}', "two steps"])
async def test_an_unreadable_vote_is_a_failure_and_no_depth(text: str) -> None:
    answer = await told(text, text)
    assert answer.vote is None
    assert answer.failure is not None
    assert answer.failure.kind is FailureKind.PARSE_FAILURE
    assert answer.spent == ONCE + ONCE


class _Answer(Value):
    yes: bool


async def test_every_try_counts_and_a_failed_one_too() -> None:
    again = await ask_json(Model("what?", '{"yes": true}'), ChatRequest(turns=()), _Answer)
    broken = await ask_json(Model("what?", None), ChatRequest(turns=()), _Answer)
    assert (again.value, broken.value) == (_Answer(yes=True), None)
    assert (again.spent, broken.spent) == (ONCE + ONCE, ONCE + ONCE)


@pytest.mark.parametrize("text", ['{"score": 1, "reason": "r"}', None], ids=["answered", "out"])
async def test_every_prompted_role_hands_on_what_it_spent(text: str | None) -> None:
    vote = None if text is None else '{"positive": true, "reason": "r"}'
    arguments = await PromptedArgumentEvaluator(Model(text)).assess_arguments(QUERY, WEATHER, CALL)
    shown = returned({})
    results = await PromptedResultEvaluator(Model(text)).assess_result(QUERY, WEATHER, CALL, shown)
    level = await PromptedLevelAnnotator(Model(vote)).vote(2, QUERY, WEATHER, Toolset(tools=(WEATHER,)))
    proposed = await PromptedGenerator(Model(text)).propose(ProposalTask(query=QUERY, tool=WEATHER), index=0)
    assert [each.spent for each in (arguments, results, level, proposed)] == [ONCE] * 4
