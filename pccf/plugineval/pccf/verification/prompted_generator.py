"""A generator played by a chat model: one whole call, one abstention, or an answer that cannot be read.

Prose and broken JSON are told apart by whether the text tries to be structured: a brace, a fence, a leading bracket,
markup, `name(argument=`, or any JSON value. What tries and fails is `Unreadable` and never executed as an empty call;
what does not try is a model that declined in words, which is an abstention for S_arg to judge.
"""

import re
from typing import Self

from pydantic import model_validator

from plugineval.pccf.chat import ChatModel, ChatRequest
from plugineval.pccf.invocations import Abstention, Invocation, Proposal, Unreadable
from plugineval.pccf.json_answer import UnreadableAnswerError, answer_schema, parse_json, printable, read_json
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.roles import ProposalTask, Proposed
from plugineval.pccf.values import Arguments, Value
from plugineval.pccf.verification.evidence import shown_history, shown_query, shown_tool

_STRUCTURE = re.compile(r"[{}]|```|^\s*\[|</?\w+[^<>]*>|\[/?[A-Z_]+\]|\w\([^()]*=")


class _Call(Value):
    arguments: Arguments
    tool: str | None = None


class _Abstain(Value):
    reason: str = ""
    missing: list[str] = []


class _Answer(Value):
    call: _Call | None = None
    abstain: _Abstain | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if (self.call is None) == (self.abstain is None):
            raise ValueError("exactly one of `call` and `abstain` is needed")
        return self


class PromptedGenerator:
    """The role `Generator` over a chat model; `index` is the seed, so that one model can be several generators."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._prompt = Prompt.load(__package__ or "", "generator.md")

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """One answer, not asked for again: an unreadable one is evidence for the next round."""
        turns = self._prompt.turns(
            query=shown_query(task.query), tool=shown_tool(task.tool), history=shown_history(task.history)
        )
        reply = await self._model.complete(ChatRequest(turns=turns, answer_schema=answer_schema(_Answer), seed=index))
        if reply.failure:
            return Proposed(failure=reply.failure, prompt_hash=self._prompt.hash, spent=reply.spent)
        proposal = proposal_of(reply.text, tool=task.tool.offered_name)
        return Proposed(proposal=proposal, prompt_hash=self._prompt.hash, spent=reply.spent)


def proposal_of(text: str, *, tool: str) -> Proposal:
    """What the text of a generator proposes; `tool` is called where the answer names none."""
    if text.strip() and not _structured(text):
        return Abstention(reason=printable(text.strip()))
    try:
        answer = read_json(text, _Answer)
    except UnreadableAnswerError as error:
        return Unreadable(raw=printable(text), problem=printable(str(error)))
    if answer.abstain:
        return Abstention(reason=answer.abstain.reason, missing=tuple(answer.abstain.missing))
    call = answer.call or _Call(arguments={})
    return Invocation(tool=call.tool or tool, arguments=call.arguments)


def _structured(text: str) -> bool:
    if _STRUCTURE.search(text):
        return True
    try:
        parse_json(text)
    except UnreadableAnswerError:
        return False
    return True
