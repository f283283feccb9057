"""The call journal as the engine sees it: a call that was answered once is never made again.

Rounds and matrices are plain deterministic code that replays from the top; recorded calls come back at once. An
answer that is a failure of its boundary is handed on but not recorded, so that a resumed job asks again.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Protocol, TypeVar, cast

from plugineval.pccf.value_text import text_of, value_of
from plugineval.pccf.values import Json, Value, canonical_json, content_hash

V = TypeVar("V", bound=Value)


class CallKey(Value):
    """What makes a call the same call within one job. `request` is the canonical request as JSON."""

    stage: str
    model: str
    case: str
    repeat: int = 0
    request: Json = None

    @classmethod
    def known(cls, *, stage: str, model: str, case: str, repeat: int = 0, request: Json) -> "CallKey":
        """The key of a call whose `request` is known to be JSON, having come out of values: it is not looked at again.

        Keys are made for every call, and a request may be as long as what a plugin answered.
        """
        return cls.trusted({"stage": stage, "model": model, "case": case, "repeat": repeat, "request": request})

    @cached_property
    def digest(self) -> str:
        """sha256 over all five: the `content_hash`, whose canonical JSON is put together here sooner."""
        try:
            stage, model, case, request = map(canonical_json, (self.stage, self.model, self.case, self.request))
        except ValueError:
            # What JSON has no number for is spelled by the slower way.
            return content_hash(self)
        written = f'{{"case":{case},"model":{model},"repeat":{self.repeat:d},"request":{request},"stage":{stage}}}'
        return hashlib.sha256(written.encode()).hexdigest()


class Ledger(Protocol):
    """Durable memory of calls."""

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """The recorded answer of `key`, or the answer of `make()`, committed before it is returned.

        What `make` raises passes through and is not recorded.
        """
        ...


class TextLedger(ABC):
    """A `Ledger` that keeps the answers as JSON text: a value that was just made need not be read back from it."""

    @abstractmethod
    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """As every ledger."""

    @abstractmethod
    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        """The recorded answer of `key`, or the very text that `make()` gave, committed before it is returned."""


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

    async def answer() -> V:
        value = await make()
        if not keep(value):
            raise NotKept(value)
        return value

    try:
        if isinstance(ledger, TextLedger):
            return await _recorded_text(ledger, key, kind, answer)
        return kind.model_validate(await ledger.call(key, lambda: _plain(answer)))
    except NotKept as unkept:
        return cast("V", unkept.value)


async def _recorded_text(ledger: TextLedger, key: CallKey, kind: type[V], make: Callable[[], Awaitable[V]]) -> V:
    made: dict[str, V] = {}

    async def text() -> str:
        value = await make()
        written = text_of(value)
        if type(value) is kind:
            made[written] = value
        return written

    found = await ledger.text(key, text)
    # Where another process was first, its answer counts.
    return made[found] if found in made else value_of(kind, found)


async def _plain(make: Callable[[], Awaitable[Value]]) -> Json:
    plain: Json = (await make()).model_dump(mode="json")
    return plain


class NotKept(Exception):
    """No error: carries an answer that is handed on, but not recorded, past a `Ledger`."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value
