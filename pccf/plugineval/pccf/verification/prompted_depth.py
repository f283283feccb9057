"""The inference depth told by a chat model that sees the call but not the steps that its writer had in mind (P26)."""

from plugineval.pccf.chat import ChatModel, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.records import DepthVote
from plugineval.pccf.roles import DepthVoted
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification.evidence import shown_query, shown_tool


class _Steps(Value):
    steps: list[str]
    reason: str


class PromptedDepthAnnotator:
    """The role `DepthAnnotator` over a chat model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._prompt = Prompt.load(__package__ or "", "depth.md")

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        """The steps it names; blank ones do not count."""
        turns = self._prompt.turns(
            query=shown_query(query), tool=shown_tool(tool), invocation=invocation.model_dump(mode="json")
        )
        answer = await ask_json(self._model, ChatRequest(turns=turns), _Steps)
        if answer.value is None:
            return DepthVoted(failure=answer.failure, spent=answer.spent)
        steps = tuple(step.strip() for step in answer.value.steps if step.strip())
        vote = DepthVote(steps=steps, reason=answer.value.reason, annotator=self.id, prompt_hash=self._prompt.hash)
        return DepthVoted(vote=vote, spent=answer.spent)
