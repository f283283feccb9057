"""The hard limits of a run in one process: a call begins only where the processes of the run have granted it.

A round trip to the database pays for up to sixteen calls; a run without limits makes none.
"""

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.errors import StoreError
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.spending import Spent
from plugineval.server.sharing.budget_state import LEASE_S, Allowed, BudgetState, Settled

if TYPE_CHECKING:
    from plugineval.server.store.agreements import Agreed
    from plugineval.server.store.store import Store

BEAT_S = LEASE_S / 5
AGAIN_S = 0.2
"""How soon a call asks again that waits for others to end before it is known whether something is left."""


class RunBudget:
    """What this process may spend of the run `job_id`."""

    def __init__(self, store: "Store", job_id: str, limits: BuildLimits) -> None:
        self._agreements, self._name, self._limits = store.agreements, f"budget {job_id}", limits
        self._spender = secrets.token_hex(8)
        self._spent = Spent()
        self._granted = self._open = self._waiting = 0
        self._uncounted = False
        self._line = anyio.Lock()
        self.sentence = ""
        """The limit for which a call was refused; empty while every call was let go."""

    @classmethod
    @asynccontextmanager
    async def open(cls, store: "Store", job_id: str, limits: BuildLimits) -> "AsyncGenerator[RunBudget]":
        """A budget whose last spending is written at the end."""
        budget = cls(store, job_id, limits)
        if not limits.any:
            yield budget
            return
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(budget.keep)
                try:
                    yield budget
                finally:
                    tasks.cancel_scope.cancel()
                    with anyio.CancelScope(shield=True):
                        await budget.leave()
        except ExceptionGroup as group:
            # What ended the work, and not that a group held it, is what a person is told.
            raise (group.exceptions[0] if len(group.exceptions) == 1 else group) from None

    @property
    def limits_anything(self) -> bool:
        """Whether there is a limit at all."""
        return self._limits.any

    async def admit(self) -> Failure | None:
        """Why a call may not begin; None lets it, and it has to be `paid` for."""
        self._waiting += 1
        try:
            async with self._line:
                while not self._granted and not self.sentence:
                    allowed = await self._settle(self._waiting)
                    self._granted, self.sentence = allowed.calls, allowed.sentence
                    if not allowed.calls and not allowed.sentence:
                        await anyio.sleep(AGAIN_S)
                if self.sentence:
                    return Failure(kind=FailureKind.LIMIT_REACHED, detail=self.sentence)
                self._granted -= 1
                self._open += 1
                return None
        finally:
            self._waiting -= 1

    def paid(self, spent: Spent, *, uncounted: bool = False) -> None:
        """A call that was let go has ended."""
        self._open -= 1
        self._spent += spent
        self._uncounted |= uncounted

    async def keep(self) -> None:
        """Tell what was spent, now and then, until cancelled."""
        while True:
            await anyio.sleep(BEAT_S)
            try:
                async with self._line:
                    if not self._waiting:
                        # What nobody here wants now, others may wait for.
                        self._granted = 0
                    await self._settle(0)
            except StoreError:
                # Whoever wants to call meets a store that is gone; one that is slow is there by the next beat.
                continue

    async def leave(self) -> None:
        """Tell what was spent at last; nothing is granted any more."""
        spent, self._spent = self._spent + Spent(calls=self._open), Spent()
        self._granted = self._open = 0

        def step(found: "Agreed") -> tuple[str, None]:
            return _read(found.body).left(self._spender, spent, found.now).model_dump_json(), None

        await self._agreements.change(self._name, step)

    async def _settle(self, wanted: int) -> Allowed:
        told = Settled(self._spent, self._open + self._granted, wanted, self._uncounted)
        self._spent = Spent()

        def step(found: "Agreed") -> tuple[str, Allowed]:
            after, allowed = _read(found.body).settled(self._spender, told, self._limits, found.now)
            return after.model_dump_json(), allowed

        try:
            return await self._agreements.change(self._name, step)
        except StoreError:
            self._spent += told.spent
            raise


async def limit_told(store: "Store", job_id: str, limits: BuildLimits) -> str:
    """The limit that all processes of a run have reached together; empty where none is."""
    return (await budget_of(store, job_id)).reached(limits) if limits.any else ""


async def budget_of(store: "Store", job_id: str) -> BudgetState:
    """What all processes of a run have spent together; nothing where it had no limits."""
    return _read((await store.agreements.read(f"budget {job_id}")).body)


def _read(body: str) -> BudgetState:
    return BudgetState.model_validate_json(body) if body else BudgetState()
