"""A plugin each call of which meets a fresh copy of its fixture in a fresh process.

A few keepers take turns. As soon as one has been used its process and copy go, and the next ones are prepared, so that
a call usually finds a copy whose server is up; how many there are bounds how many calls run at once.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.plugins.approvals import Admission
from plugineval.clients.plugins.asking import Asker
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.keeper import Keeper
from plugineval.clients.plugins.policy import ExecutionDecision
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import Plugin, ToolSpec
from plugineval.pccf.values import Arguments

if TYPE_CHECKING:
    from plugineval.clients.plugins.opening import Opened


class FreshPlugin:
    """The same to its callers as a `WarmPlugin`."""

    def __init__(
        self,
        registration: PluginRegistration,
        household: Household,
        redactor: Redactor,
        open_on: "Callable[[], Awaitable[Opened]]",
        copies: int,
    ) -> None:
        self._tasks = household.tasks
        self._admission = Admission(registration, redactor, household.permissions.approvals)
        self._asker = Asker(registration, redactor, self._admission, household.permissions.confirmations)
        self._idle = [Keeper(registration, redactor, household, open_on) for _ in range(copies)]
        self._all = tuple(self._idle)
        self._turns = anyio.Semaphore(copies)
        self._over = False

    def may_execute(self, tool: ToolSpec) -> ExecutionDecision:
        """What the policy says."""
        return self._asker.may_execute(tool)

    async def snapshot(self) -> Plugin:
        """All tools as the server lists them now; the copy is still fresh after that."""
        async with self._keeper() as keeper:
            return await self._admission.snapshot(await keeper.connection())

    async def call(
        self, tool: ToolSpec, arguments: Arguments, after: Sequence[tuple[ToolSpec, Invocation]]
    ) -> Observation:
        """Execute once on a fresh copy, if the policy allows it, after the calls that make its state."""
        refused = self._asker.refusal(tool, arguments)
        if refused is not None:
            return refused
        async with self._keeper() as keeper:
            try:
                return await self._execute(keeper, tool, arguments, after)
            except PluginUnavailableError as error:
                return self._asker.unreachable(tool, arguments, error)
            finally:
                keeper.retire()
                if not self._over:
                    self._tasks.start_soon(_prepare, keeper)

    def dismiss(self) -> None:
        """Ask all sessions to end."""
        self._over = True
        for keeper in self._all:
            keeper.dismiss()

    async def _execute(
        self, keeper: Keeper, tool: ToolSpec, arguments: Arguments, after: Sequence[tuple[ToolSpec, Invocation]]
    ) -> Observation:
        connection = await keeper.connection()
        for number, (earlier, invocation) in enumerate(after, 1):
            # What another plugin did is no state of this one's copy.
            if earlier.plugin == tool.plugin:
                seen = await self._asker.ask(connection, earlier, invocation.arguments)
                if not seen.evaluable:
                    return _not_reached(seen, f"call {number} before it, {earlier.name}", tool, arguments)
        return await self._asker.ask(connection, tool, arguments)

    @asynccontextmanager
    async def _keeper(self) -> AsyncGenerator[Keeper]:
        async with self._turns:
            keeper = next((keeper for keeper in self._idle if keeper.warm), self._idle[0])
            self._idle.remove(keeper)
            try:
                yield keeper
            finally:
                self._idle.append(keeper)


async def _prepare(keeper: Keeper) -> None:
    """Have the next copy ready; who needs it hears why there is none."""
    with suppress(PluginUnavailableError):
        await keeper.connection()


def _not_reached(seen: Observation, what: str, tool: ToolSpec, arguments: Arguments) -> Observation:
    said = seen.detail or seen.kind.value
    detail = f"not executed, because {what}, failed: {said}"
    return seen.model_copy(update={"tool": tool.name, "arguments": arguments, "detail": detail})
