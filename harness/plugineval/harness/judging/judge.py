"""The judge over a chat model: gold is its only anchor, what it is shown is fenced data, what it says is read strictly.

A question is asked once per run, whichever case, model or repeat it comes from: the journal and the memory of this
object go by the question, the prompt and the judge (P38 to P43). An outage is remembered nowhere.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import anyio

from plugineval.harness.judging.answer import JudgeAnswer, failure_of, read_verdict
from plugineval.harness.judging.config import JudgeConfig
from plugineval.harness.judging.stats import Counting, JudgeStats
from plugineval.harness.judging.voting import Vote, disagree, settlement_of
from plugineval.harness.parameter_subtypes import ParameterSubtype
from plugineval.harness.questions import JudgeFailure, JudgeQuestion, Settlement
from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.chat import ChatModel, ChatRequest, ChatTurn, subject_of
from plugineval.pccf.json_answer import Answered, ask_json, printable
from plugineval.pccf.ledger import CallKey, Ledger
from plugineval.pccf.prompts import Prompt
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json

Order: TypeAlias = Literal["gold_first", "predicted_first"]
_ORDERS: tuple[Order, ...] = ("gold_first", "predicted_first")
_DEFAULTS = JudgeConfig()
_GAVE_NO_VERDICT = {FailureKind.CONTENT_FILTER: JudgeFailure.REFUSED, FailureKind.TRUNCATED: JudgeFailure.UNREADABLE}


class GoldAnchoredJudge:
    """The port `Judge`."""

    def __init__(
        self,
        model: ChatModel,
        *,
        ledger: Ledger,
        limiter: anyio.CapacityLimiter,
        config: JudgeConfig = _DEFAULTS,
    ) -> None:
        self._model = model
        self._config = config
        self._calls = RoleCalls(ledger=ledger, limiter=limiter, timeout_s=config.timeout_s)
        self._prompt = Prompt.load(__package__ or "", "judge.md")
        self._known: dict[str, Settlement] = {}
        self._asking: dict[str, anyio.Event] = {}
        self._counting = Counting()

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    @property
    def prompt_hash(self) -> str:
        """Content hash of the prompt file."""
        return self._prompt.hash

    @property
    def stats(self) -> JudgeStats:
        """The counts so far."""
        return self._counting.stats()

    @property
    def known(self) -> Mapping[str, Settlement]:
        """What it said so far, by the key of the question; outages are left out."""
        return self._known

    async def settle(self, questions: Sequence[JudgeQuestion]) -> dict[str, Settlement]:
        """One settlement per distinct question, by its key; a question that is being asked is waited for."""
        distinct = {question.key: question for question in questions}
        found = await in_order([partial(self._settled, question) for question in distinct.values()])
        return dict(zip(distinct, found, strict=True))

    async def _settled(self, question: JudgeQuestion) -> Settlement:
        key = question.key
        while (asking := self._asking.get(key)) is not None:
            await asking.wait()
        if (known := self._known.get(key)) is not None:
            self._counting.cached += 1
            return known
        self._asking[key] = anyio.Event()
        try:
            settlement = await self._judged(question)
        finally:
            self._asking.pop(key).set()
        if settlement.failure is not JudgeFailure.OUTAGE:
            self._known[key] = settlement
        return settlement

    async def _judged(self, question: JudgeQuestion) -> Settlement:
        poll = _Poll(self, question)
        votes = [await poll.vote(order) for order in _ORDERS[: 1 + self._config.both_orders]]
        self._counting.double_judged += len([vote for vote in votes if vote.verdict]) > 1
        if disagree(votes):
            self._counting.disagreements += 1
            if self._config.on_disagreement == "third_vote":
                self._counting.third_votes += 1
                # Which order has the last word is settled by the question, so that it favours neither over a run.
                votes.append(await poll.vote(_ORDERS[int(question.key[0], 16) % 2]))
        settlement = settlement_of(votes, judge=self.id, prompt_hash=self.prompt_hash)
        self._counting.settled(settlement, asked=poll.asked)
        return settlement

    async def ask(self, question: JudgeQuestion, order: Order, number: int) -> Vote:
        """Vote `number` (from 0) on `question`, never from memory; its retries included."""
        request = ChatRequest(
            turns=_turns(self._prompt, question, order),
            seed=number,
            subject=subject_of(question.query, question.now),
        )
        answered = await ask_json(self._model, request, JudgeAnswer, retries=self._config.retries, read=read_verdict)
        return _vote(answered)

    async def recorded(self, question: JudgeQuestion, order: Order, number: int, poll: "_Poll") -> Vote:
        """Vote `number` from the journal, or asked now. Case and repeat stay out of the key: a pair is a pair."""
        request: Json = {"question": question.key, "prompt": self.prompt_hash, "order": order, "vote": number}
        key = CallKey(stage="judge", model=self.id, case="", request=request)

        async def make() -> Vote:
            poll.asked = True
            return await self.ask(question, order, number)

        return await self._calls.ask(key, Vote, make)


class _Poll:
    """The votes on one question, and whether any of them was asked for just now."""

    def __init__(self, judge: GoldAnchoredJudge, question: JudgeQuestion) -> None:
        self.asked = False
        self._judge = judge
        self._question = question
        self._number = 0

    async def vote(self, order: Order) -> Vote:
        number, self._number = self._number, self._number + 1
        return await self._judge.recorded(self._question, order, number, self)


def _turns(prompt: Prompt, question: JudgeQuestion, order: Order) -> tuple[ChatTurn, ...]:
    shown = [("gold", question.gold), ("predicted", question.predicted)]
    (first_is, first), (second_is, second) = shown if order == "gold_first" else shown[::-1]
    return prompt.turns(
        tool={"name": question.tool, "description": question.tool_description},
        argument={"path": question.argument, "schema": question.argument_schema},
        request={"now": question.now.isoformat() if question.now else None, "text": question.query},
        doubt=question.doubt,
        first_is=first_is,
        first=first,
        second_is=second_is,
        second=second,
    )


def _vote(answered: Answered[JudgeAnswer]) -> Vote:
    answer, failure, raw = answered.value, answered.failure, printable(answered.raw)
    if answer is not None:
        subtype = ParameterSubtype(answer.subtype) if answer.subtype else None
        said = printable(answer.justification)
        return Vote(verdict=answer.verdict, subtype=subtype, justification=said, raw=raw)
    if failure is None or failure.kind is FailureKind.PARSE_FAILURE:
        return Vote(problem=failure_of(answered.raw), raw=raw)
    if failure.kind in _GAVE_NO_VERDICT:
        return Vote(problem=_GAVE_NO_VERDICT[failure.kind], raw=raw or failure.detail)
    return Vote(failure=failure)
