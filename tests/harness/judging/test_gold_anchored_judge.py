"""The judge: what it is shown, that a pair gets one verdict, and that no failure ever becomes one."""

from collections.abc import Sequence

import anyio
import pytest

from doubles.judging import ScriptedJudgeModel, question, shown, verdict
from doubles.stage_one import MemoryLedger
from plugineval.harness.judging import GoldAnchoredJudge, JudgeConfig
from plugineval.harness.outcomes import ParameterSubtype
from plugineval.harness.questions import JudgeFailure, JudgeQuestion, Settlement
from plugineval.pccf.chat import ChatModel, ChatReply, ChatRequest
from plugineval.pccf.ledger import Ledger, Unjournaled
from plugineval.pccf.routing import Failure, FailureKind

pytestmark = pytest.mark.anyio


class Hanging:
    """A model that never answers."""

    id = "hanging"

    async def complete(self, request: ChatRequest) -> ChatReply:
        await anyio.sleep_forever()
        return ChatReply()


OUT = Failure(kind=FailureKind.RATE_LIMITED, detail="busy")


def judge_of(model: ChatModel, *, ledger: Ledger | None = None, **config: object) -> GoldAnchoredJudge:
    return GoldAnchoredJudge(
        model,
        ledger=ledger or Unjournaled(),
        limiter=anyio.CapacityLimiter(4),
        config=JudgeConfig.model_validate(config),
    )


async def one(judge: GoldAnchoredJudge, asked: JudgeQuestion) -> Settlement:
    return (await judge.settle([asked]))[asked.key]


def in_turn(answers: Sequence[str | Failure]) -> ScriptedJudgeModel:
    left = iter(answers)
    return ScriptedJudgeModel(lambda request: next(left))


@pytest.mark.requirement("P38", "P39")
async def test_the_judge_sees_gold_prediction_query_clock_tool_and_doubt_and_nothing_else() -> None:
    model = ScriptedJudgeModel(lambda request: verdict("equal"))
    await judge_of(model).settle([question(tool_description="Weather of a city.", doubt="an alias")])
    assert shown(model.requests[0]).keys() == {"tool", "argument", "request", "doubt", "first", "second"}
    assert [shown(model.requests[0])[name] for name in ("first", "second")] == ["New York City", "NYC"]
    user = model.requests[0].turns[-1].content
    assert user.index("The gold value") < user.index("The predicted value")
    assert model.requests[0].answer_schema


@pytest.mark.requirement("P43")
async def test_the_verdict_and_the_subtype_are_the_judges_own() -> None:
    judge = judge_of(ScriptedJudgeModel(lambda request: verdict("different", "temporal", "Another day.")))
    settled = await one(judge, question())
    assert (settled.verdict, settled.subtype, settled.justification) == (
        "different", ParameterSubtype.TEMPORAL, "Another day.",
    )  # fmt: skip
    assert (settled.judge, settled.prompt_hash, settled.failure) == (judge.id, judge.prompt_hash, None)


@pytest.mark.requirement("P43")
@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("GRID: C", JudgeFailure.UNREADABLE),
        ("", JudgeFailure.EMPTY),
        ("[[90]]", JudgeFailure.OUT_OF_RANGE),
        ("I am sorry, I cannot help with that.", JudgeFailure.REFUSED),
        (verdict("equal", "temporal"), JudgeFailure.CONTRADICTORY),
        (verdict("equal") + verdict("different"), JudgeFailure.CONTRADICTORY),
        (Failure(kind=FailureKind.CONTENT_FILTER, detail="filtered"), JudgeFailure.REFUSED),
        (Failure(kind=FailureKind.TRUNCATED, detail="cut"), JudgeFailure.UNREADABLE),
    ],
)
async def test_no_verdict_is_a_failure_with_its_text_after_bounded_retries_and_is_remembered(
    raw: str | Failure, kind: JudgeFailure
) -> None:
    model, ledger = ScriptedJudgeModel(lambda request: raw), MemoryLedger()
    settled = await one(judge_of(model, ledger=ledger, retries=2), question())
    assert (settled.verdict, settled.failure, settled.subtype) == ("failure", kind, None)
    assert settled.raw == (raw if isinstance(raw, str) else raw.detail)
    assert len(model.requests) == (3 if isinstance(raw, str) else 1)
    again = judge_of(model, ledger=ledger)
    assert (await one(again, question())).raw == settled.raw
    assert ledger.made == 1


async def test_a_second_try_that_can_be_read_counts_and_was_told_what_was_wrong() -> None:
    model = in_turn(["", verdict("equal")])
    settled = await one(judge_of(model, retries=1), question())
    assert settled.verdict == "equal"
    assert "empty" in model.requests[1].turns[-1].content


@pytest.mark.requirement("E3")
async def test_an_outage_is_no_verdict_is_not_recorded_and_is_asked_again() -> None:
    ledger = MemoryLedger()
    judge = judge_of(in_turn([OUT, verdict("equal")]), ledger=ledger)
    first = await one(judge, question())
    assert (first.verdict, first.failure) == ("failure", JudgeFailure.OUTAGE)
    assert "busy" in first.justification
    assert not ledger.answers
    assert (await one(judge, question())).verdict == "equal"
    assert judge.stats.failures == {JudgeFailure.OUTAGE: 1}


async def test_an_adapter_that_raises_or_hangs_is_an_outage() -> None:
    def broken(request: ChatRequest) -> str:
        raise RuntimeError("adapter broke")

    assert (await one(judge_of(ScriptedJudgeModel(broken)), question())).failure is JudgeFailure.OUTAGE

    assert (await one(judge_of(Hanging(), timeout_s=0.01), question())).failure is JudgeFailure.OUTAGE


async def test_the_same_pair_is_asked_once_however_often_and_from_wherever_it_comes() -> None:
    model = ScriptedJudgeModel(lambda request: verdict("equal"))
    judge = judge_of(model)
    settled: list[Settlement] = []

    async def ask() -> None:
        settled.append(await one(judge, question()))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    await judge.settle([question(), question(), question(predicted="Newark")])
    assert len(model.requests) == 2
    assert len({found.model_dump_json() for found in settled}) == 1
    assert (judge.stats.asked, judge.stats.cached) == (2, 5)


async def test_a_resumed_run_replays_the_verdicts_and_another_judge_asks_anew() -> None:
    ledger, model = MemoryLedger(), ScriptedJudgeModel(lambda request: verdict("equal"))
    await judge_of(model, ledger=ledger).settle([question()])
    resumed = judge_of(model, ledger=ledger)
    await resumed.settle([question()])
    assert (len(model.requests), resumed.stats.asked, resumed.stats.cached) == (1, 0, 1)
    assert {(key.case, key.repeat) for key in ledger.keys} == {("", 0)}
    other = ScriptedJudgeModel(lambda request: verdict("different", "incorrect_value"), name="other")
    await judge_of(other, ledger=ledger).settle([question()])
    assert len(other.requests) == 1


async def test_every_question_gets_its_own_settlement_by_key() -> None:
    judge = judge_of(
        ScriptedJudgeModel(lambda request: verdict("equal" if shown(request)["second"] == "b" else "different"))
    )
    asked = [question(predicted="a"), question(predicted="b"), question(predicted="c")]
    found = await judge.settle(asked)
    assert [found[item.key].verdict for item in asked] == ["different", "equal", "different"]
    assert await judge.settle([]) == {}


def by_position(request: ChatRequest) -> str:
    """A judge that calls whatever comes first right: equal where gold is first."""
    gold_first = "The gold value" in request.turns[-1].content.split("The predicted value")[0]
    return verdict("equal") if gold_first else verdict("different", "incorrect_value")


async def test_both_orders_are_shown_and_agreement_is_a_verdict() -> None:
    model = ScriptedJudgeModel(lambda request: verdict("equal"))
    judge = judge_of(model, both_orders=True)
    assert (await one(judge, question())).verdict == "equal"
    assert [shown(request)["first"] for request in model.requests] == ["New York City", "NYC"]
    assert (judge.stats.double_judged, judge.stats.disagreement_rate) == (1, 0.0)


async def test_a_verdict_that_hangs_on_the_order_is_a_failure_and_counted() -> None:
    judge = judge_of(ScriptedJudgeModel(by_position), both_orders=True)
    settled = await one(judge, question())
    assert (settled.verdict, settled.failure) == ("failure", JudgeFailure.DISAGREEMENT)
    assert settled.raw.count("verdict") == 2
    assert (judge.stats.disagreements, judge.stats.disagreement_rate) == (1, 1.0)


async def test_a_third_vote_decides_where_it_is_asked_for() -> None:
    answers = [verdict("equal"), verdict("different", "temporal"), verdict("different", "missing_argument")]
    judge = judge_of(in_turn(answers), both_orders=True, on_disagreement="third_vote")
    settled = await one(judge, question())
    assert (settled.verdict, settled.subtype) == ("different", ParameterSubtype.MISSING_ARGUMENT)
    assert (judge.stats.third_votes, judge.stats.disagreements) == (1, 1)


async def test_one_order_without_a_verdict_is_no_agreement() -> None:
    answers = [verdict("equal"), *["GRID: C"] * 3]
    judge = judge_of(in_turn(answers), both_orders=True, retries=2)
    assert (await one(judge, question())).failure is JudgeFailure.UNREADABLE
    assert judge.stats.double_judged == 0
    assert judge.stats.disagreement_rate is None
