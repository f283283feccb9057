"""What an agent is asked in each role: one complete item, the same after a restart, with nothing it must not see."""

import json
from datetime import UTC, datetime

import pytest

from doubles.stage_one import WEATHER
from plugineval.clients.agent.answers import WorkAnswer, Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.clients.agent.roles import AgentArgumentEvaluator, AgentGenerator, AgentLevelAnnotator
from plugineval.clients.agent.router import AgentRouter
from plugineval.clients.agent.writer import AgentQueryWriter
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import ProposalTrace, Round
from plugineval.pccf.roles import ProposalTask, StrengtheningTask, WritingTask
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2")]

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
QUERY = Query.of_text("What about tomorrow?", now=NOON)
WHO = Worker(client="a client", version="2", model="a model")
SCENARIO = Scenario(id="s", kind=ScenarioKind.TYPE_A, target=WEATHER.offered_name, title="small talk")


class OneAnswer:
    """A queue that answers everything alike and keeps what it was asked."""

    def __init__(self, answer: Json) -> None:
        self.asked: list[WorkQuestion] = []
        self._answer = answer

    async def answer(self, question: WorkQuestion) -> WorkAnswer:
        self.asked.append(question)
        return WorkAnswer(answer=self._answer, by=WHO, at=NOON)


async def test_a_proposal_names_who_made_it_and_two_seats_are_two_items() -> None:
    queue = OneAnswer({"call": {"arguments": {"city": "Oslo"}}})
    proposed = [await AgentGenerator(queue).propose(ProposalTask(query=QUERY, tool=WEATHER), index=i) for i in (0, 1)]
    assert proposed[0].proposal == Invocation(tool=WEATHER.offered_name, arguments={"city": "Oslo"})
    assert proposed[0].by == "agent: a client 2 (a model)"
    first, second = queue.asked
    assert first.id_in("job") != second.id_in("job")
    # A rival of the same round sees the same, to the letter.
    assert (first.evidence, first.instructions) == (second.evidence, second.instructions)


async def test_evidence_of_earlier_rounds_is_shown_to_generators() -> None:
    queue = OneAnswer({"abstain": {"reason": "no"}})
    trace = ProposalTrace(
        round=1, generator="g", index=0, proposal=Invocation(tool=WEATHER.offered_name, arguments={"city": "Bergen"})
    )
    history = (Round(number=1, traces=(trace,)),)
    await AgentGenerator(queue).propose(ProposalTask(query=QUERY, tool=WEATHER, history=history), index=0)
    assert "Bergen" in queue.asked[0].evidence


async def test_an_assessment_and_a_vote_name_who_gave_them() -> None:
    call = Invocation(tool=WEATHER.offered_name, arguments={"city": "Oslo"})
    judged = OneAnswer({"score": 0.5, "reason": "half"})
    assessed = await AgentArgumentEvaluator(judged).assess_arguments(QUERY, WEATHER, call)
    assert assessed.assessment is not None
    assert assessed.assessment.evaluator == "agent: a client 2 (a model)"
    voted = await AgentLevelAnnotator(OneAnswer({"positive": True, "reason": "so"})).vote(1, QUERY, WEATHER, Toolset())
    assert voted.vote is not None
    assert voted.vote.annotator == "agent: a client 2 (a model)"


async def test_two_annotators_are_asked_apart_although_they_are_asked_the_same() -> None:
    queue = OneAnswer({"positive": True, "reason": "so"})
    for number in (0, 1):
        await AgentLevelAnnotator(queue, number=number).vote(1, QUERY, WEATHER, Toolset())
    assert len({question.id_in("job") for question in queue.asked}) == 2


async def test_a_model_under_test_sees_tools_and_conversation_alone() -> None:
    queue = OneAnswer({"calls": [{"name": "anything", "arguments": {"x": 1}}]})
    reply = await AgentRouter(queue).route(QUERY, Toolset(tools=(WEATHER,)), seed=3)
    assert [(call.name, call.arguments) for call in reply.calls] == [("anything", {"x": 1})]
    assert isinstance(reply.raw, dict)
    assert reply.raw["identity"] == WHO.identity
    (question,) = queue.asked
    assert (question.kind, question.seed) == (WorkKind.ANSWER_AS_MODEL, 3)
    assert WEATHER.offered_name in question.instructions
    assert WEATHER.offered_name not in question.evidence
    assert json.dumps(QUERY.text) in question.evidence


async def test_the_writers_clock_stands_still_so_that_a_resumed_job_asks_the_same() -> None:
    task = WritingTask(scenario=SCENARIO, tool=WEATHER, toolset=Toolset(), difficulty=Difficulty.EASY, count=1)
    ids: list[str] = []
    for _ in range(2):
        queue = OneAnswer({"queries": [{"text": "How are you?"}]})
        written = await AgentQueryWriter(queue, now=NOON).write(task)
        assert written.candidates[0].query.now == NOON
        ids.append(queue.asked[0].id_in("job"))
    assert ids[0] == ids[1]


async def test_strengthening_is_a_kind_of_its_own() -> None:
    task = StrengtheningTask(
        scenario=SCENARIO,
        tool=WEATHER,
        toolset=Toolset(),
        query=QUERY,
        difficulty=Difficulty.HARD,
        observed=Difficulty.EASY,
    )
    queue = OneAnswer({"text": "And the day after?"})
    await AgentQueryWriter(queue, now=NOON).strengthen(task)
    assert {question.kind for question in queue.asked} == {WorkKind.STRENGTHEN_QUERY}
