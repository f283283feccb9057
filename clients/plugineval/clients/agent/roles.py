"""The roles of verification played by an agent: the same prompts as for any model, one item of work a call.

Who answered is named in the record, so that it shows where generator and evaluator were one and the same (P17).
"""

from typing import Literal

from plugineval.clients.agent.answers import WorkQueue
from plugineval.clients.agent.chat import AgentChatModel, Seat
from plugineval.clients.agent.names import AGENT
from plugineval.clients.agent.questions import WorkKind
from plugineval.pccf.chat import subject_of
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.roles import Assessed, DepthVoted, ProposalTask, Proposed, Voted
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification import (
    PromptedArgumentEvaluator,
    PromptedDepthAnnotator,
    PromptedGenerator,
    PromptedLevelAnnotator,
    PromptedResultEvaluator,
)

PROPOSAL: dict[str, Json] = {
    "type": "object",
    "properties": {
        "call": {
            "type": "object",
            "properties": {"arguments": {"type": "object"}},
            "required": ["arguments"],
            "additionalProperties": False,
        },
        "abstain": {
            "type": "object",
            "properties": {"reason": {"type": "string"}, "missing": {"type": "array", "items": {"type": "string"}}},
            "required": ["reason"],
            "additionalProperties": False,
        },
    },
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
"""Exactly one of the two. The arguments are free: what a generator may emit is not what the tool accepts (P4)."""


class AgentRole:
    """What the roles below share. `number` tells several seats of one role apart."""

    def __init__(self, queue: WorkQueue, *, model: str = AGENT, number: int = 0) -> None:
        self._queue = queue
        self._model = model
        self._number = number

    @property
    def id(self) -> str:
        """The id of the settings; who it was stands in each answer."""
        return self._model

    def chat(self, kind: WorkKind, query: Query, schema: dict[str, Json] | None = None) -> AgentChatModel:
        """The model of one call about `query`."""
        subject = subject_of(query.text, query.now)
        seat = Seat(kind=kind, model=self._model, subject=subject, number=self._number, answer_schema=schema)
        return AgentChatModel(self._queue, seat)


class AgentGenerator(AgentRole):
    """`plugineval.pccf.roles.Generator`."""

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """One proposal; evidence of earlier rounds is shown, other proposals of this round are not."""
        chat = self.chat(WorkKind.PROPOSE_INVOCATION, task.query, PROPOSAL)
        proposed = await PromptedGenerator(chat).propose(task, index=index)
        return proposed.model_copy(update={"by": chat.player})


class AgentArgumentEvaluator(AgentRole):
    """`plugineval.pccf.roles.ArgumentEvaluator`."""

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        """S_arg."""
        chat = self.chat(WorkKind.JUDGE_ARGUMENTS, query)
        return _named(await PromptedArgumentEvaluator(chat).assess_arguments(query, tool, proposal), chat.player)


class AgentResultEvaluator(AgentRole):
    """`plugineval.pccf.roles.ResultEvaluator`."""

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        """S_out."""
        chat = self.chat(WorkKind.JUDGE_RESULT, query)
        evaluator = PromptedResultEvaluator(chat)
        return _named(await evaluator.assess_result(query, tool, invocation, observation), chat.player)


class AgentLevelAnnotator(AgentRole):
    """`plugineval.pccf.roles.LevelAnnotator`."""

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        """Level 1 or 2."""
        chat = self.chat(WorkKind.VOTE_LEVEL, query)
        voted = await PromptedLevelAnnotator(chat).vote(level, query, tool, toolset)
        if voted.vote is None:
            return voted
        return voted.model_copy(update={"vote": voted.vote.model_copy(update={"annotator": chat.player})})


class AgentDepthAnnotator(AgentRole):
    """`plugineval.pccf.roles.DepthAnnotator`."""

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        """The steps from the words of the query to the arguments."""
        chat = self.chat(WorkKind.JUDGE_DEPTH, query)
        voted = await PromptedDepthAnnotator(chat).depth(query, tool, invocation)
        if voted.vote is None:
            return voted
        return voted.model_copy(update={"vote": voted.vote.model_copy(update={"annotator": chat.player})})


def _named(assessed: Assessed, who: str) -> Assessed:
    if assessed.assessment is None:
        return assessed
    return assessed.model_copy(update={"assessment": assessed.assessment.model_copy(update={"evaluator": who})})
