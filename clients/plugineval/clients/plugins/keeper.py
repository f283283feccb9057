"""Keeps one connection to a plugin warm: opens it with the first call, and opens it again after it ended.

Callers that come while it starts share the outcome of that start. Failures in a row are spaced by the schedule; a
plugin that was never up is not tried twice for one caller, because that is a mistake to be mended and no outage.
"""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError

if TYPE_CHECKING:
    from plugineval.clients.plugins.connection import Connection
    from plugineval.clients.plugins.opening import Opened


class Keeper:
    """`connection` gives the live connection, or raises `PluginUnavailableError`."""

    def __init__(
        self,
        registration: PluginRegistration,
        redactor: Redactor,
        household: Household,
        open_on: "Callable[[], Awaitable[Opened]] | None" = None,
    ) -> None:
        """`open_on` prepares each connection where that takes more than the registration, such as a copy."""
        self._registration = registration
        self._redactor = redactor
        self._household = household
        self._schedule = household.schedule
        self._opened: Opened | None = None
        self._starting = anyio.Lock()
        self._was_up = False
        self._failures = 0
        self._failed_at = 0.0
        self._refusal: PluginUnavailableError | None = None
        self._open_on = open_on
        self._dismissed = False
        self.in_flight = 0

    @property
    def warm(self) -> bool:
        """Whether a call would be made at once."""
        return self._opened is not None and self._opened.connection.alive

    async def connection(self) -> "Connection":
        """The live connection; one that ended is replaced, within the limits of the schedule."""
        if self._opened is not None and self._opened.connection.alive:
            return self._opened.connection
        known = self._refusal
        async with self._starting:
            if self._refusal is not None and self._refusal is not known:
                raise _same(self._refusal)
            connection = None
            while connection is None:
                connection = await self._usable(self._opened or await self._open())
            return connection

    def retire(self) -> None:
        """Ask the connection to end, which did what it was for; the next call gets another one."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.connection.dismiss()

    def dismiss(self) -> None:
        """Ask the connection to end; there will be no other."""
        self._dismissed = True
        if self._opened is not None:
            self._opened.connection.dismiss()

    async def _open(self) -> "Opened":
        await self._turn()
        try:
            opened = await self._prepared()
        except PluginUnavailableError as error:
            if self._open_on is not None:
                self._failures, self._failed_at, self._refusal = self._failures + 1, anyio.current_time(), error
            raise
        self._opened = opened
        self._household.tasks.start_soon(_own, opened, self._registration.start_timeout_s)
        if self._dismissed:
            opened.connection.dismiss()
        return opened

    async def _prepared(self) -> "Opened":
        from plugineval.clients.plugins.opening import open_connection

        if self._dismissed:
            raise PluginUnavailableError("its session is over", field=self._registration.field)
        if self._open_on is not None:
            return await self._open_on()
        return open_connection(self._registration, self._household, self._redactor)

    async def _turn(self) -> None:
        """Wait until the schedule allows a start; refuse at once while it rests."""
        wait_s = self._failed_at + self._schedule.delay_s(self._failures) - anyio.current_time()
        if wait_s <= 0 or not self._failures:
            return
        if self._failures < self._schedule.give_up_after:
            await anyio.sleep(wait_s)
            return
        latest = f"; at last it {self._refusal.problem}" if self._refusal is not None else ""
        raise PluginUnavailableError(
            f"failed too often in a row and rests for another {wait_s:.0f} s{latest}",
            field=self._registration.field,
            next_step="mend the plugin, or wait until it has recovered",
        )

    async def _usable(self, opened: "Opened") -> "Connection | None":
        """The connection once it is up; None where the next one should be tried for this caller."""
        connection = opened.connection
        await connection.settled.wait()
        if connection.alive:
            self._was_up = True
            return connection
        self._opened = None
        if not connection.retired:
            await connection.ended.wait()
            self._count(opened)
        return None

    def _count(self, opened: "Opened") -> None:
        """Count an end as a failure, and refuse where another try would not help this caller."""
        from plugineval.clients.plugins.opening import unavailable

        connection = opened.connection
        self._failed_at = connection.ended_at
        self._failures = 1 if connection.answers else self._failures + 1
        if connection.came_up:
            return
        if connection.hung:
            # To try a hanging plugin again costs every caller the whole start timeout.
            self._failures = max(self._failures, self._schedule.give_up_after)
        self._refusal = unavailable(self._registration, opened, self._redactor)
        if not self._was_up or self._failures >= self._schedule.give_up_after:
            raise self._refusal


async def _own(opened: "Opened", start_timeout_s: float) -> None:
    try:
        await opened.connection.own(start_timeout_s)
    finally:
        if opened.tidy is not None:
            with anyio.CancelScope(shield=True):
                await opened.tidy()


def _same(error: PluginUnavailableError) -> PluginUnavailableError:
    return PluginUnavailableError(error.problem, field=error.field, next_step=error.next_step)
