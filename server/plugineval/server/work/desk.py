"""Where the roles of one running job hand in their questions, and wait for agents that may sit in other processes.

One of those who wait looks into the store for all of them; when it has its own answer, another one goes on looking.
An answer that was accepted in this process rings at once, and is fetched by itself: thousands may wait beside it, of
this job and of others. Answers from elsewhere are seen at the next look at everything.

Of each kind and seat only so many questions are on offer at once, beyond those that agents hold; the others wait for
their place in the order in which they were asked.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.agent.answers import WorkAnswer
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.server.store.summaries import Job
from plugineval.server.store.work_notes import WorkCount
from plugineval.server.work.told import waiting_told

if TYPE_CHECKING:
    from plugineval.server.store.work import WorkShelf

LOOK_S = 0.4
AHEAD = 512
"""Questions of one kind and seat that are on offer at once, beyond those that agents hold."""


class WorkDesk:
    """The questions of one job.

    `in_session`: whether this process serves clients, whose model may be asked through MCP sampling.
    """

    def __init__(self, shelf: "WorkShelf", job: Job, *, in_session: bool = False) -> None:
        self._message = ""
        self._told_at = shelf.accepted
        """How many answers this process had accepted when the message was made: one more, and it is out of date."""
        self.since = job.created_at
        self.in_session = in_session
        self._shelf = shelf
        self._job_id = job.id
        self._waiting: dict[str, list[anyio.Event]] = {}
        self._found: dict[str, WorkAnswer] = {}
        self._looking = False
        self._offering = self._offered = self._queueing = 0
        self._places: dict[tuple[WorkKind, int], anyio.CapacityLimiter] = {}
        self._expected: dict[WorkKind, int] = {}
        self._began = datetime.now(UTC)
        # Several processes ask for a job of workers: none of them knows what the others still want to know.
        self._asked: set[str] | None = set() if job.engine == "here" else None
        self._heard = shelf.accepted
        self._looked = -math.inf
        self._came = 0
        self._seen = (-1, -1)
        """How many answers of the job there were, and how many had come to wait, at the last look at everything."""

    @property
    def message(self) -> str:
        """What the job waits for; empty while it waits for nothing, or that is not known since the last answer."""
        return self._message if self._told_at == self._shelf.accepted else ""

    def queue(self, *, apart: bool) -> "DeskQueue":
        """A `WorkQueue` of this job; `apart` keeps generator and evaluator of a subject apart (P17)."""
        return DeskQueue(self, apart=apart)

    def expect(self, kind: WorkKind, number: int) -> None:
        """Of a kind, so many questions will have been asked in all when the job ends: told before they are asked."""
        self._expected[kind] = number

    async def answer(self, question: WorkQuestion, *, apart: bool) -> WorkAnswer:
        """Offer `question` when its turn comes, and wait for its answer."""
        places = self._places.setdefault((question.kind, question.seat), anyio.CapacityLimiter(AHEAD))
        place = object()
        self._queueing += 1
        try:
            await places.acquire_on_behalf_of(place)
        finally:
            self._queueing -= 1
        try:
            return await self._answer(question, apart=apart)
        finally:
            places.release_on_behalf_of(place)

    async def _answer(self, question: WorkQuestion, *, apart: bool) -> WorkAnswer:
        item_id = question.id_in(self._job_id)
        if self._asked is not None:
            self._asked.add(item_id)
        self._offering += 1
        try:
            answered = await self._shelf.offer(self._job_id, question, apart=apart)
        finally:
            self._offering -= 1
            self._offered += 1
        if answered is not None:
            return answered
        woken = anyio.Event()
        self._waiting.setdefault(item_id, []).append(woken)
        self._came += 1
        try:
            while item_id not in self._found:
                await self._wait(item_id, woken)
                woken = self._renewed(item_id, woken)
            return self._found[item_id]
        finally:
            self._leave(item_id, woken)

    async def _wait(self, item_id: str, woken: anyio.Event) -> None:
        if self._looking:
            await woken.wait()
            return
        self._looking = True
        try:
            while item_id not in self._found:
                rung = self._shelf.rung
                await self._look()
                if item_id not in self._found:
                    with anyio.move_on_after(LOOK_S):
                        await rung.wait()
        finally:
            self._looking = False

    async def _look(self) -> None:
        heard = self._shelf.accepted_since(self._heard)
        self._heard = self._shelf.accepted
        if heard is None or anyio.current_time() - self._looked >= LOOK_S:
            await self._look_at_everything()
            return
        mine = [item_id for item_id in heard if item_id in self._waiting]
        if mine:
            self._hand_over(await self._shelf.answers(mine))
            await self._count()

    async def _look_at_everything(self) -> None:
        self._looked = anyio.current_time()
        if self._asked is not None and not self._offering and self._came == self._seen[1]:
            # Nothing new came since the last look: what an earlier process asked and this one does not is in the way.
            await self._shelf.retire(self._job_id, before=self._began, but=self._asked)
            self._asked = None
        counts = await self._count()
        now = (sum(count.answered for count in counts), self._came)
        if now != self._seen:
            self._hand_over(await self._shelf.answers(list(self._waiting)))
            # Only now: a look that is cancelled has seen nothing.
            self._seen = now

    async def _count(self) -> Sequence[WorkCount]:
        """What there is, told as what the job waits for unless more was being offered meanwhile."""
        before, accepted = self._offered, self._shelf.accepted
        counts = await self._shelf.counts(self._job_id)
        # Else who reads the number would take a part for the whole.
        if not self._offering and self._offered == before:
            self._message, self._told_at = waiting_told(counts, self._to_come(counts)), accepted
        self._make_room(counts)
        return counts

    def _to_come(self, counts: Sequence[WorkCount]) -> int:
        asked = {count.kind: count.open + count.leased + count.answered for count in counts}
        return max(self._queueing, sum(max(0, all_ - asked.get(kind, 0)) for kind, all_ in self._expected.items()))

    def _make_room(self, counts: Sequence[WorkCount]) -> None:
        held = {count.kind: count.leased for count in counts}
        for (kind, _), places in self._places.items():
            places.total_tokens = AHEAD + held.get(kind, 0)

    def _hand_over(self, found: Mapping[str, WorkAnswer]) -> None:
        for item_id, answer in found.items():
            self._found[item_id] = answer
            for event in self._waiting.get(item_id, ()):
                event.set()

    def _renewed(self, item_id: str, woken: anyio.Event) -> anyio.Event:
        """An event that is not set: this task was woken to look, and not by its answer."""
        if not woken.is_set() or item_id in self._found:
            return woken
        fresh = anyio.Event()
        events = self._waiting[item_id]
        events[events.index(woken)] = fresh
        return fresh

    def _leave(self, item_id: str, woken: anyio.Event) -> None:
        events = self._waiting[item_id]
        events.remove(woken)
        if not events:
            del self._waiting[item_id]
            self._found.pop(item_id, None)
        if not self._waiting:
            self._message = ""
        elif not self._looking:
            # Somebody has to look for the rest.
            next(iter(self._waiting.values()))[0].set()


class DeskQueue:
    """`plugineval.clients.agent.answers.WorkQueue`."""

    def __init__(self, desk: WorkDesk, *, apart: bool) -> None:
        self.since, self.in_session = desk.since, desk.in_session
        self._desk = desk
        self._apart = apart

    async def answer(self, question: WorkQuestion) -> WorkAnswer:
        """Wait for the answer."""
        return await self._desk.answer(question, apart=self._apart)
