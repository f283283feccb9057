"""The ledger of a job in which recorded models play roles: what they are asked is looked up, and nothing is paid.

A recorded answer is no call: it is neither journaled nor metered, and a resumed job looks it up again. A question is
known by everything its role is given, with the id of every recorded model read as that of the model it replays.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from plugineval.clients.recorded.lines import RoleLine, question_of
from plugineval.clients.recorded.recording import Recording
from plugineval.pccf.ledger import CallKey, Ledger
from plugineval.pccf.values import Json


class RecordedPlayer(NamedTuple):
    """Who stands behind the id of a recorded model."""

    recording: Recording
    model: str


class RecordedLedger:
    """A `Ledger` in front of the one of the job."""

    def __init__(
        self, inner: Ledger, players: Mapping[str, RecordedPlayer], replayed: Counter[str] | None = None
    ) -> None:
        """`players` by the ids of the settings; `replayed` counts answers by stage, where somebody counts."""
        self._inner = inner
        self._players = players
        self._replayed: Counter[str] = Counter() if replayed is None else replayed
        longest_first = sorted(players, key=len, reverse=True)
        self._ids = re.compile("|".join(map(re.escape, longest_first)))
        self._given: dict[tuple[str, str], RoleLine] = {}
        self._taken: Counter[str] = Counter()

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """The recorded answer of a recorded model; `make` tells what is missing. Others go to the job's own ledger."""
        player = self._players.get(key.model)
        if player is None:
            return await self._inner.call(key, make)
        found = self._found(key, player)
        answer = await make() if found is None else found
        self._replayed[key.stage] += 1
        return answer

    def _found(self, key: CallKey, player: RecordedPlayer) -> Json | None:
        question = question_of(key.model_copy(update={"model": player.model, "request": self._named(key.request)}))
        lines = player.recording.roles(question)
        if not lines:
            return None
        given = self._given.get((question, key.case))
        if given is None:
            # One answer for each case that asked: another case that asks the same gets the next one.
            given = self._given[question, key.case] = lines[self._taken[question] % len(lines)]
            self._taken[question] += 1
        return dict(given.answer)

    def _named(self, request: Json) -> Json:
        if isinstance(request, str):
            return self._ids.sub(lambda found: self._players[found[0]].model, request)
        if isinstance(request, list):
            return [self._named(each) for each in request]
        if isinstance(request, dict):
            return {name: self._named(each) for name, each in request.items()}
        return request
