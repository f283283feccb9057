"""A run on many workers, event by event: turns at the providers, calls in flight, processors, shared commits, deaths.

What the closed formulas leave out is the end of a run, workers that die with what they hold, and answers that are paid
twice; a seed makes every run of it the same.
"""

import math
import random
from collections import deque
from collections.abc import Generator
from typing import NamedTuple

from simpy import Environment, Event, Resource

Steps = Generator[Event, object, None]
BACKOFF_S = 1.0
"""After a fault of the provider."""


class Scene(NamedTuple):
    """A run and who works on it; seconds, and cells a second."""

    cells: int = 20_000
    models: int = 2
    workers: int = 4
    slots: int = 64
    """Calls in flight of one worker."""
    shard: int = 100
    latency_s: float = 0.5
    """The usual one; a call takes between half and one and a half of it."""
    model_rate: float = math.inf
    cpu_s: float = 0.001
    """Of a worker's only core, a cell."""
    commit_s: float = 0.004
    fault: float = 0.0
    """Of all calls; such a call is made again."""
    dies_every_s: float = math.inf
    """One worker or another; it is there again after `returns_s`."""
    returns_s: float = 10.0
    stalled_s: float = 20.0
    """Until what a dead worker held is taken over."""
    seed: int = 0

    @property
    def least_s(self) -> float:
        """The longest of what no worker can shorten: turns, calls in flight, processors."""
        answered = 1 - self.fault
        turns = self.cells / (self.models * self.model_rate)
        held = self.latency_s + self.fault * BACKOFF_S + answered * (2 * self.commit_s + self.cpu_s)
        flights = self.cells * held / (self.workers * self.slots)
        return max(turns / answered, flights / answered, self.cells * self.cpu_s / self.workers)


class Played(NamedTuple):
    """What came of it."""

    seconds: float
    calls: int
    """Paid or refused."""
    repeats: int
    """Paid twice, since a worker died with the answer."""
    deaths: int
    shares: tuple[int, ...]
    """Cells of each worker."""
    most_lost: int
    """Calls in flight of one death."""


class _Shard:
    __slots__ = ("left", "model", "todo")

    def __init__(self, model: int, cells: int) -> None:
        self.model, self.todo, self.left = model, cells, cells


class _Worker:
    """Calls of all its slots; after its death it is another one in its place."""

    def __init__(self, play: "Play", place: int) -> None:
        self.alive = True
        self.held: list[_Shard] = []
        self.flying = 0
        """Calls that were made and whose answers are not kept yet."""
        self._play, self._place = play, place
        self._core = Resource(play.env)
        self._commit_ends = 0.0
        for _ in range(play.scene.slots):
            play.env.process(self._slot())

    def _slot(self) -> Steps:
        play = self._play
        while self.alive and play.left:
            shard = self._next()
            if shard is None:
                yield play.news
                continue
            shard.todo -= 1
            yield from self._answered(shard.model)
            turn = self._core.request()
            with turn:
                yield turn
                yield play.env.timeout(play.scene.cpu_s)
            for _ in range(2):
                yield play.env.timeout(self._commit())
            self.flying -= 1
            if self.alive:
                play.keep(shard, self._place)
                if not shard.left:
                    self.held.remove(shard)

    def _answered(self, model: int) -> Steps:
        play, scene = self._play, self._play.scene
        while self.alive:
            yield play.env.timeout(play.turn(model))
            if not self.alive:
                return
            play.calls += 1
            self.flying += 1
            yield play.env.timeout(scene.latency_s * play.rng.uniform(0.5, 1.5))
            if play.rng.random() >= scene.fault:
                return
            self.flying -= 1
            yield play.env.timeout(BACKOFF_S)

    def _next(self) -> _Shard | None:
        ready = [shard for shard in self.held if shard.todo]
        if ready:
            return ready[0]
        if not self._play.queue:
            return None
        self.held.append(self._play.queue.popleft())
        return self.held[-1]

    def _commit(self) -> float:
        """Seconds until this row is durable: with the commit after the one that is under way."""
        now = self._play.env.now
        if self._commit_ends <= now:
            self._commit_ends = now + self._play.scene.commit_s
            return self._commit_ends - now
        return self._commit_ends - now + self._play.scene.commit_s


class Play:
    """One run of one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.env, self.rng = scene, Environment(), random.Random(scene.seed)
        self.left, self.calls = scene.cells, 0
        self.news = self.env.event()
        of_a_model = scene.cells // scene.models
        sizes = [min(scene.shard, of_a_model - begun) for begun in range(0, of_a_model, scene.shard)]
        self.queue = deque(_Shard(model, size) for size in sizes for model in range(scene.models))
        self._free_at = [0.0] * scene.models
        self._shares = [0] * scene.workers
        self._lost: list[int] = []
        self._repeats = 0
        self._workers = [_Worker(self, place) for place in range(scene.workers)]
        self._over = self.env.event()

    def play(self) -> Played:
        """To the last cell."""
        if math.isfinite(self.scene.dies_every_s):
            self.env.process(self._dying())
        self.env.run(until=self._over)
        most = max(self._lost, default=0)
        return Played(self.env.now, self.calls, self._repeats, len(self._lost), tuple(self._shares), most)

    def turn(self, model: int) -> float:
        """Seconds until the next turn that nobody has."""
        at = max(self._free_at[model], self.env.now)
        self._free_at[model] = at + 1 / self.scene.model_rate
        return at - self.env.now

    def keep(self, shard: _Shard, place: int) -> None:
        """A cell is done for good."""
        shard.left -= 1
        self.left -= 1
        self._shares[place] += 1
        if not self.left:
            self._over.succeed()
            self._tell()

    def _dying(self) -> Steps:
        while self.left:
            yield self.env.timeout(self.rng.expovariate(1 / self.scene.dies_every_s))
            place = self.rng.randrange(self.scene.workers)
            worker = self._workers[place]
            if worker.alive:
                worker.alive = False
                self._lost.append(worker.flying)
                self._repeats += worker.flying
                self.env.process(self._taken_over(worker.held))
                self.env.process(self._returning(place))

    def _taken_over(self, held: list[_Shard]) -> Steps:
        yield self.env.timeout(self.scene.stalled_s)
        for shard in held:
            # What was answered and kept is there; the rest is asked again.
            shard.todo = shard.left
        self.queue.extendleft(held)
        self._tell()

    def _returning(self, place: int) -> Steps:
        yield self.env.timeout(self.scene.returns_s)
        self._workers[place] = _Worker(self, place)

    def _tell(self) -> None:
        self.news.succeed()
        self.news = self.env.event()
