"""Journaled calls: an answer is made once, a failure is handed on and forgotten, an exception passes through."""

from collections.abc import Awaitable, Callable

import pytest

from doubles.stage_one import OUT, MemoryLedger
from plugineval.pccf.ledger import CallKey, TextLedger, Unjournaled, recorded
from plugineval.pccf.roles import Proposed
from plugineval.pccf.value_text import text_of
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio
KEY = CallKey(stage="propose", model="m", case="c", repeat=0, request={"q": 1})


class Maker:
    def __init__(self, *answers: Proposed | Exception) -> None:
        self._answers = iter(answers)

    async def __call__(self) -> Proposed:
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Texts(TextLedger):
    """Keeps texts; `first` is what another process had recorded by the time an answer is there."""

    def __init__(self, *, first: str | None = None) -> None:
        self._first, self._known = first, dict[str, str]()

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        raise NotImplementedError

    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        if key.digest not in self._known:
            made = await make()
            self._known[key.digest] = made if self._first is None else self._first
        return self._known[key.digest]


async def test_a_fresh_answer_is_handed_on_as_it_is_and_read_back_from_its_text_later() -> None:
    first = Proposed(prompt_hash="half a pair: \ud83d")
    ledger, make = Texts(), Maker(first, Proposed(prompt_hash="second"))
    assert await recorded(ledger, KEY, Proposed, make) is first
    assert await recorded(ledger, KEY, Proposed, make) == first


async def test_the_answer_that_another_process_recorded_first_counts() -> None:
    ledger, make = Texts(first=text_of(Proposed(prompt_hash="first"))), Maker(Proposed(prompt_hash="second"))
    assert (await recorded(ledger, KEY, Proposed, make)).prompt_hash == "first"


async def test_a_failure_is_not_kept_as_text_either() -> None:
    ledger, make = Texts(), Maker(Proposed(failure=OUT), Proposed(prompt_hash="second"))
    assert (await recorded(ledger, KEY, Proposed, make)).failure == OUT
    assert (await recorded(ledger, KEY, Proposed, make)).prompt_hash == "second"


async def test_an_answer_is_made_once() -> None:
    ledger, make = MemoryLedger(), Maker(Proposed(prompt_hash="first"), Proposed(prompt_hash="second"))
    answers = [await recorded(ledger, KEY, Proposed, make) for _ in range(2)]
    assert [answer.prompt_hash for answer in answers] == ["first", "first"]


async def test_a_failure_is_handed_on_and_asked_for_again() -> None:
    ledger, make = MemoryLedger(), Maker(Proposed(failure=OUT), Proposed(prompt_hash="second"))
    assert (await recorded(ledger, KEY, Proposed, make)).failure == OUT
    assert (await recorded(ledger, KEY, Proposed, make)).prompt_hash == "second"


async def test_what_is_kept_can_be_chosen() -> None:
    ledger, make = MemoryLedger(), Maker(Proposed(prompt_hash="first"), Proposed(prompt_hash="second"))
    for expected in ("first", "second"):
        answer = await recorded(ledger, KEY, Proposed, make, keep=lambda value: value.prompt_hash != "first")
        assert answer.prompt_hash == expected


async def test_an_exception_passes_through_and_is_not_recorded() -> None:
    ledger, make = MemoryLedger(), Maker(ValueError("ours"), Proposed(prompt_hash="second"))
    with pytest.raises(ValueError, match="ours"):
        await recorded(ledger, KEY, Proposed, make)
    assert (await recorded(ledger, KEY, Proposed, make)).prompt_hash == "second"


async def test_without_a_journal_every_call_is_made() -> None:
    make = Maker(Proposed(prompt_hash="first"), Proposed(prompt_hash="second"))
    answers = [await recorded(Unjournaled(), KEY, Proposed, make) for _ in range(2)]
    assert [answer.prompt_hash for answer in answers] == ["first", "second"]


@pytest.mark.parametrize(
    "changed", [{"stage": "x"}, {"model": "x"}, {"case": "x"}, {"repeat": 1}, {"request": {"q": 2}}]
)
def test_each_part_of_a_key_tells_calls_apart(changed: dict[str, object]) -> None:
    other = CallKey.model_validate({**KEY.model_dump(), **changed})
    assert other.digest != KEY.digest


def test_the_order_of_keys_in_a_request_does_not() -> None:
    one = CallKey(stage="s", model="m", case="c", request={"a": 1, "b": 2})
    other = CallKey(stage="s", model="m", case="c", request={"b": 2, "a": 1})
    assert one.digest == other.digest
