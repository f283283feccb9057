"""How a role is called: recorded in the journal, bounded in number, time and money; many calls answer in order.

A call already in the journal takes no slot of the limiter. A call that is not answered in time, that a hard limit
forbids, or whose adapter raises, is a `Failure` in the role's own answer; a person's mistake and being cancelled from
outside pass through.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast

import anyio

from plugineval.pccf.doors import go_through
from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.ledger import CallKey, Ledger, recorded
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Value

V = TypeVar("V", bound=Value)
T = TypeVar("T")


class Limits(Protocol):
    """What hard limits say of one more call: `plugineval.pccf.metering.Meter`."""

    def refusal(self) -> Failure | None:
        """Why no further call may be made; None where one may."""
        ...


@dataclass(frozen=True, kw_only=True)
class RoleCalls:
    """The journal, the limiter that all calls of one construction share, and what one call may take."""

    ledger: Ledger
    limiter: anyio.CapacityLimiter
    timeout_s: float | None = None
    """Seconds. None: the role bounds itself, or waits for a person's agent."""
    limits: Limits | None = None
    """Asked before every call that is really made."""

    async def ask(self, key: CallKey, kind: type[V], make: Callable[[], Awaitable[V]]) -> V:
        """The answer of `key`, of a `kind` with a `failure` field; failures are returned but not recorded."""

        async def bounded() -> V:
            async with self.limiter:
                await go_through()
                refused = self.limits.refusal() if self.limits is not None else None
                answer = refused or await self._bounded(make)
            return kind.model_validate({"failure": answer}) if isinstance(answer, Failure) else answer

        return await recorded(self.ledger, key, kind, bounded)

    async def _bounded(self, make: Callable[[], Awaitable[V]]) -> V | Failure:
        with anyio.move_on_after(self.timeout_s):
            try:
                return await make()
            except PluginEvalError:
                raise
            except Exception as error:  # noqa: BLE001 - the one boundary: whatever else a role's adapter raises is data
                return Failure(kind=FailureKind.BAD_RESPONSE, detail=f"{type(error).__name__}: {error}"[:2000])
        return Failure(kind=FailureKind.TIMEOUT, detail=f"no answer within {self.timeout_s} s")


async def in_order(calls: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """Run all `calls` concurrently; their results in the order of `calls`, whichever ends first.

    Where one raises, the others are cancelled and the first error is raised alone, with the whole group as cause.
    """
    if len(calls) == 1:
        return [await _alone(calls[0])]
    results: dict[int, T] = {}

    async def run(index: int, call: Callable[[], Awaitable[T]]) -> None:
        results[index] = await call()

    try:
        async with anyio.create_task_group() as group:
            for index, call in enumerate(calls):
                group.start_soon(run, index, call)
    except ExceptionGroup as errors:
        raise _first(errors) from errors
    return [results[index] for index in range(len(calls))]


async def _alone(call: Callable[[], Awaitable[T]]) -> T:
    """A call that runs beside no other needs no task of its own."""
    try:
        return await call()
    except ExceptionGroup as errors:
        raise _first(errors) from errors


def _first(errors: ExceptionGroup[Exception]) -> Exception:
    first = errors.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", first)) if isinstance(first, ExceptionGroup) else first
