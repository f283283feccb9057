"""The two evaluators played by chat models: S_arg before execution, S_out after it; each strict about its verdict.

They are separate roles with separate prompts and may be separate models (P12, P17).
"""

from pydantic import Field

from plugineval.pccf.chat import ChatModel, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.json_answer import ask_json
from plugineval.pccf.observations import Observation
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.records import Assessment
from plugineval.pccf.roles import Assessed
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value
from plugineval.pccf.verification.evidence import shown_observation, shown_query, shown_tool


class _Verdict(Value):
    score: float = Field(ge=0, le=1)
    reason: str


class PromptedArgumentEvaluator:
    """The role `ArgumentEvaluator` over a chat model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._prompt = Prompt.load(__package__ or "", "argument_evaluator.md")

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        """S_arg; an unreadable or out-of-range verdict is a failure, never a score."""
        shown = proposal.model_dump(mode="json")
        return await _assessed(
            self._model, self._prompt, query=shown_query(query), tool=shown_tool(tool), proposal=shown
        )


class PromptedResultEvaluator:
    """The role `ResultEvaluator` over a chat model."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._prompt = Prompt.load(__package__ or "", "result_evaluator.md")

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        """S_out; an unreadable or out-of-range verdict is a failure, never a score."""
        return await _assessed(
            self._model,
            self._prompt,
            query=shown_query(query),
            tool=shown_tool(tool),
            invocation=invocation.model_dump(mode="json"),
            observation=shown_observation(observation),
        )


async def _assessed(model: ChatModel, prompt: Prompt, **data: Json) -> Assessed:
    answer = await ask_json(model, ChatRequest(turns=prompt.turns(**data)), _Verdict)
    if answer.value is None:
        return Assessed(failure=answer.failure, spent=answer.spent)
    return Assessed(
        spent=answer.spent,
        assessment=Assessment(
            score=answer.value.score,
            reason=answer.value.reason,
            evaluator=model.id,
            prompt_hash=prompt.hash,
            raw=answer.raw,
        ),
    )
