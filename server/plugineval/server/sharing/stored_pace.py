"""The shared pace of an endpoint in the database: one row an endpoint, one short transaction a meeting."""

from typing import TYPE_CHECKING

from plugineval.clients.models.pace import Granted, PaceLimits, Told
from plugineval.server.sharing.pace_state import PaceState

if TYPE_CHECKING:
    from plugineval.server.store.agreements import Agreed
    from plugineval.server.store.store import Store


class StoredPace:
    """A `SharedPace` of all processes on one store. `meetings` counts its transactions."""

    def __init__(self, store: "Store") -> None:
        self._agreements = store.agreements
        self.meetings = 0

    async def meet(self, endpoint: str, member: str, limits: PaceLimits, told: Told) -> Granted:
        """As every shared pace."""

        def step(found: "Agreed") -> tuple[str, Granted]:
            after, granted = _read(found.body).met(member, limits, told, found.now)
            return after.model_dump_json(), granted

        self.meetings += 1
        return await self._agreements.change(_name(endpoint), step)

    async def leave(self, endpoint: str, member: str) -> None:
        """As every shared pace. The row stays: turns that were used count for those that come later."""

        def step(found: "Agreed") -> tuple[str, None]:
            return _read(found.body).left(member).model_dump_json(), None

        self.meetings += 1
        await self._agreements.change(_name(endpoint), step)


def _read(body: str) -> PaceState:
    return PaceState.model_validate_json(body) if body else PaceState()


def _name(endpoint: str) -> str:
    return f"pace {endpoint}"
