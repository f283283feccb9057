"""A person's check may take its time: the event loop goes on meanwhile, and rows are graded one at a time."""

from threading import Event

import anyio
import pytest

from doubles.harness import TEXT, attempt, call, gold, positive, schema, tool
from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.outcomes import Outcome
from plugineval.harness.settling import Settling
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall, RouterReply

pytestmark = pytest.mark.anyio

SAY = tool("say", schema("words", words=TEXT))
CASE = positive(gold("say", words="yes"), tools=(SAY,))


def answered(repeat: int = 0) -> Attempt:
    return attempt(CASE, RouterReply(calls=(call("say", words="aye"),)), repeat=repeat)


@pytest.mark.requirement("B5")
async def test_a_check_that_waits_holds_up_no_other_task() -> None:
    going_on = Event()

    def check(case: Case, gold: GoldCall, predicted: EmittedCall) -> bool:
        return going_on.wait(20)

    settling = Settling(None, policy=GradingPolicy(), checks={"say": check})

    async def graded() -> None:
        outcomes.append((await settling.grade(CASE, answered())).outcome)

    async def go_on() -> None:
        going_on.set()

    outcomes: list[Outcome | None] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(graded)
        tasks.start_soon(go_on)
    assert outcomes == [Outcome.CORRECT]


@pytest.mark.requirement("B5")
async def test_checks_are_asked_one_at_a_time() -> None:
    running, most = 0, 0

    def check(case: Case, gold: GoldCall, predicted: EmittedCall) -> bool:
        nonlocal running, most
        running += 1
        most = max(most, running)
        Event().wait(0.01)
        running -= 1
        return True

    settling = Settling(None, policy=GradingPolicy(), checks={"say": check})
    async with anyio.create_task_group() as tasks:
        for repeat in range(5):
            tasks.start_soon(settling.grade, CASE, answered(repeat))
    assert most == 1
