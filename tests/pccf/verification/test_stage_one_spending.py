"""What the calls of Stage I spent is in the journal, and a spent limit stops it without a verdict."""

from dataclasses import replace

import pytest

from doubles.stage_one import Bench, MemoryLedger, call, request
from plugineval.pccf.config import BuildLimits, VerificationConfig
from plugineval.pccf.invocations import Invocation, Proposal
from plugineval.pccf.metering import Meter
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import ProposalTask, Proposed
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.spending import Spent
from plugineval.pccf.verification import StageOne

pytestmark = pytest.mark.anyio
PAID = Spent(calls=1, input_tokens=90, output_tokens=10, cost=0.01)


class Paid:
    """A generator that says what it spent."""

    id = "paid"

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """The same call always."""
        return Proposed(proposal=Invocation(tool="weather", arguments={"city": "Oslo"}), spent=PAID)


async def metered(bench: Bench, ledger: MemoryLedger, calls: int | None, rounds: int = 1) -> VerificationRecord:
    meter = Meter(BuildLimits(calls=calls))
    config = VerificationConfig(generators=1, max_rounds=rounds)
    roles = replace(bench.roles(config), meter=meter, ledger=meter.ledger(ledger))
    return await StageOne(roles).verify(request())


async def test_what_an_answer_spent_is_recorded_with_it() -> None:
    ledger = MemoryLedger()
    roles = replace(Bench(ledger=ledger).roles(), generators=(Paid(),))
    await StageOne(roles).verify(request())
    kept = [answer.get("spent") for answer in ledger.answers.values() if isinstance(answer, dict)]
    assert PAID.model_dump(mode="json") in kept


@pytest.mark.parametrize("calls", [1, 2, 3], ids=["before S_arg", "before execution", "before S_out"])
async def test_a_limit_leaves_the_query_undecided_wherever_it_is_reached_and_a_higher_one_goes_on(calls: int) -> None:
    ledger, bench = MemoryLedger(), Bench()
    record = await metered(bench, ledger, calls)
    assert (record.verdict, record.label, len(bench.calls)) == ("undecided", None, calls)
    failure = record.rounds[0].traces[0].failure
    assert failure is not None
    assert failure.kind is FailureKind.LIMIT_REACHED
    assert len(ledger.answers) == calls
    assert (await metered(bench, ledger, None)).verdict == "accepted"
    assert len(bench.calls) == 4


async def test_a_limit_after_a_bad_round_rejects_nothing() -> None:
    def better(task: ProposalTask, index: int) -> Proposal:
        return call(city="Oslo", days=len(task.history) + 1)

    bench = Bench(better, s_out=lambda observation: 0.0)
    record = await metered(bench, MemoryLedger(), 4, rounds=3)
    assert (record.verdict, len(record.rounds)) == ("undecided", 2)
    assert "limit" in record.reason
