"""What moves slowly is no drift: it is looked at once more, much later, and only then called one or the other."""

from collections.abc import Sequence
from itertools import repeat

import pytest

from doubles.stage_one import MemoryLedger
from doubles.store import a_record
from plugineval.pccf.examples import Difficulty, Example, Query, SampleType
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import ProposalTrace, Round, VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification.reexecution import CaseCheck, Reexecution, ToolToday, Verdict
from plugineval.pccf.verification.slow_clocks import may_be_clock, said_at

pytestmark = pytest.mark.anyio

CLOCK = ToolSpec(plugin="p", name="get_clock", input_schema={"type": "object"})
GOLD = Invocation(tool="get_clock")
APART_S = 0.05


def shown(text: str) -> Observation:
    return Observation(kind=ObservationKind.RETURNED, tool="get_clock", arguments={}, text=text)


class Showing:
    """Shows one text after the other, the last for ever."""

    def __init__(self, *texts: str) -> None:
        self._texts = iter([*texts, *repeat(texts[-1], 9)])

    async def call(
        self, tool: ToolSpec, arguments: dict[str, Json], *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        return shown(next(self._texts))


async def checked(*texts: str, before: str = "12:04", apart_s: float = APART_S) -> tuple[CaseCheck, CaseCheck]:
    """What came of a gold call that showed `before`: at once, and when it was settled."""
    trace = ProposalTrace(round=1, generator="g", index=0, proposal=GOLD, observation=shown(before), score=1.0)
    record: VerificationRecord = a_record(0).model_copy(
        update={"rounds": (Round(number=1, traces=(trace,), best=0, accepted=True),)}
    )
    example = Example(
        id="c",
        query=Query.of_text("When?"),
        target="get_clock",
        label=ValidInvocation(gold=GOLD),
        sample_type=SampleType.POSITIVE,
        scenario="s",
        target_difficulty=Difficulty.EASY,
        difficulty=Difficulty.EASY,
        record_id=record.id,
        gap="s|easy@1",
    )
    today = {"get_clock": ToolToday(tool=CLOCK)}
    checking = Reexecution(today, Showing(*texts), MemoryLedger(), tick_s=0, apart_s=apart_s)
    check = await checking.check(example, record)
    return check, await checking.settle(check)


async def test_a_clock_that_shows_minutes_has_moved() -> None:
    at_once, settled = await checked("12:09", "12:09", "12:10")
    assert (at_once.verdict, settled.verdict) == (Verdict.DRIFTED, Verdict.MOVED)
    assert settled.calls[0].reason == f"differs at text, and did again {APART_S:g} s later: it moves slowly"


async def test_what_stays_as_it_is_has_drifted() -> None:
    _, settled = await checked("12:09")
    assert settled.verdict is Verdict.DRIFTED
    assert settled.calls[0].reason.endswith(f"and the same {APART_S:g} s later")


async def test_of_several_places_all_have_to_move_again() -> None:
    before = '{"at": "12:04", "price": 5}'
    _, settled = await checked(*['{"at": "12:09", "price": 7}'] * 2, '{"at": "12:10", "price": 7}', before=before)
    assert settled.verdict is Verdict.DRIFTED
    _, settled = await checked(*['{"at": "12:09", "price": 5}'] * 2, '{"at": "12:10", "price": 5}', before=before)
    assert settled.verdict is Verdict.MOVED


@pytest.mark.parametrize(("text", "apart_s"), [("oats", APART_S), ("12:09", 0.0)])
async def test_nobody_waits_for_words_or_where_that_is_not_wanted(text: str, apart_s: float) -> None:
    at_once, settled = await checked(text, text, "12:10", before="milk" if text == "oats" else "12:04", apart_s=apart_s)
    assert (at_once, settled.verdict) == (settled, Verdict.DRIFTED)


async def test_a_place_is_read_as_it_is_named() -> None:
    seen = shown('{"a/b": [{"x": "noon"}, {"x": 12}], "y": "words"}')
    assert (said_at(seen, "/a~1b/1/x"), said_at(seen, "/y"), said_at(shown("4 o'clock"), "text")) == (
        "12",
        '"words"',
        "4 o'clock",
    )
    assert may_be_clock(["/a~1b/1/x"], seen, seen)
    assert not may_be_clock(["/a~1b/1/x", "/y"], seen, seen)
