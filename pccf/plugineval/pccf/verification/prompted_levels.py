"""An annotator of levels 1 and 2 played by a chat model.

f1 sees the query alone (P1); f2 sees the query and the description of one tool, neither its schema nor other tools,
so that every pair is decided independently (P2).
"""

from typing import Literal

from plugineval.pccf.chat import ChatModel, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.records import LevelVote
from plugineval.pccf.roles import Voted
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification.evidence import shown_query


class _Decision(Value):
    positive: bool
    reason: str


class PromptedLevelAnnotator:
    """The role `LevelAnnotator` over a chat model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._need = Prompt.load(__package__ or "", "level_one.md")
        self._support = Prompt.load(__package__ or "", "level_two.md")

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        """Level 1: does the query need any tool. Level 2: does `tool` support it. `toolset` is not looked at."""
        shown = shown_query(query)
        if level == 1:
            prompt, turns = self._need, self._need.turns(query=shown)
        else:
            prompt = self._support
            turns = prompt.turns(query=shown, name=tool.offered_name, description=tool.description)
        answer = await ask_json(self._model, ChatRequest(turns=turns), _Decision)
        if answer.value is None:
            return Voted(failure=answer.failure, spent=answer.spent)
        decision = answer.value
        return Voted(
            spent=answer.spent,
            vote=LevelVote(
                level=level,
                positive=decision.positive,
                reason=decision.reason,
                annotator=self.id,
                prompt_hash=prompt.hash,
            ),
        )
