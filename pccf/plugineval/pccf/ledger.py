"""The call journal as the engine sees it: a call that was answered once is never made again.

Rounds and matrices are plain deterministic code that replays from the top; recorded calls come back at once. An
answer that is a failure of its boundary is handed on but not recorded, so that a resumed job asks again.
"""

from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Protocol, TypeVar, cast

from plugineval.pccf.values import Json, Value, content_hash

V = TypeVar("V", bound=Value)


class CallKey(Value):
    """What makes a call the same call within one job. `request` is the canonical request as JSON."""

    stage: str
    model: str
    case: str
    repeat: int = 0
    request: Json = None

    @cached_property
    def digest(self) -> str:
        """sha256 over all five."""
        return content_hash(self)


class Ledger(Protocol):
    """Durable memory of calls."""

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """The recorded answer of `key`, or the answer of `make()`, committed before it is returned.

        What `make` raises passes through and is not recorded.
        """
        ...


class Unjournaled:
    """A ledger without memory: every call is made."""

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """Make the call."""
        return await make()


async def recorded(
    ledger: Ledger,
    key: CallKey,
    kind: type[V],
    make: Callable[[], Awaitable[V]],
    *,
    keep: Callable[[V], bool] = lambda value: getattr(value, "failure", None) is None,
) -> V:
    """The answer of `key` as a `kind`; an answer for which `keep` is false is returned but not recorded."""

    async def answer() -> Json:
        value = await make()
        if not keep(value):
            raise NotKept(value)
        kept: Json = value.model_dump(mode="json")
        return kept

    try:
        return kind.model_validate(await ledger.call(key, answer))
    except NotKept as unkept:
        return cast("V", unkept.value)


class NotKept(Exception):
    """No error: carries an answer that is handed on, but not recorded, past a `Ledger`."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value
