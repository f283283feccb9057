"""Commands that are killed at a random moment, and what must hold of their home whatever the moment was."""

import json
import random
import sqlite3
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from doubles.cli import addition, cases_file, obedient
from doubles.forks import Ended, Fork, Forks
from doubles.openai_server import Document, Reply

CELLS, IN_FLIGHT = 24, 4
LARGE = 64 * 1024
NOTHING_TO_RESUME = 2


class Doom:
    """An endpoint's answers; the command is killed a moment after the question that it is told to count to."""

    def __init__(self, chance: random.Random) -> None:
        self._chance, self._lock = chance, threading.Lock()
        self.asked = 0
        self.may_answer = threading.Event()
        """Clear it, and every question waits."""
        self.may_answer.set()
        self._at = -1
        self._victim: Fork | None = None

    def __call__(self, request: Document) -> Reply:
        self.may_answer.wait()
        with self._lock:
            self.asked += 1
            due = self.asked == self._at
        if due:
            self._strike(0.03)
        return obedient(request)

    def threaten(self, victim: Fork, within: int) -> None:
        """Kill it at one of its next `within` questions, or while it starts or ends."""
        with self._lock:
            ahead = self._chance.randrange(within + 2)
            self._victim, self._at = victim, self.asked + ahead
        if not ahead:
            self._strike(0.6)

    def _strike(self, within_s: float) -> None:
        victim = self._victim
        assert victim is not None
        delay = self._chance.choice([0.0, self._chance.uniform(0, within_s)])
        timer = threading.Timer(delay, victim.kill)
        timer.daemon = True
        timer.start()


class Evaluation(NamedTuple):
    """One run of a cases file, by a command line that can be typed again."""

    forks: Forks
    home: Path
    words: tuple[object, ...]

    @classmethod
    def of(cls, forks: Forks, folder: Path, base_url: str) -> "Evaluation":
        """A run of 24 cases of which one is large, in a home of its own."""
        cases = [addition(f"c{number}", number) for number in range(CELLS)]
        cases[0]["query"] = f"{'é🛰' * (LARGE // 6)} {cases[0]['query']}"
        endpoint = ("--model", "openai:m", "--base-url", base_url, "--repeats", 1, "--concurrency", IN_FLIGHT)
        home = folder / "home"
        return cls(forks, home, (cases_file(folder, cases), *endpoint, "--home", home, "--json"))

    def start(self) -> Fork:
        """Begin it."""
        return self.forks.start("evaluate", *self.words)

    def resume(self) -> Fork:
        """Go on with the newest that has something left."""
        return self.forks.start("resume", "--last", "--home", self.home, "--json")

    def finish(self) -> Ended:
        """Go on with it to the end, or begin it again where it was killed before it was kept."""
        ended = self.forks.wait(self.resume())
        return self.forks.wait(self.start()) if ended.code == NOTHING_TO_RESUME else ended


class Kept(NamedTuple):
    """What a home holds of one run."""

    state: str
    rows: int
    cases: frozenset[str]
    outcomes: frozenset[str]
    attempts: int
    asked: tuple[str, ...]
    """The cases, gold and toolsets, as they lie there."""

    @classmethod
    def of(cls, home: Path, run_id: str, model: str = "openai:m") -> "Kept":
        """Read past the store, of one model."""
        with closing(sqlite3.connect(home / "plugineval.db")) as connection:
            assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
            mine = (run_id,)
            (state,) = connection.execute("select state from runs where id = ?", mine).fetchone()
            query = "select case_id, outcome from graded where run_id = ? and grading = 'first' and model = ?"
            rows = connection.execute(query, (*mine, model)).fetchall()
            query = "select count(*) from attempts where run_id = ? and model = ?"
            (attempts,) = connection.execute(query, (*mine, model)).fetchone()
            cases = connection.execute("select body from cases where run_id = ? order by position", mine).fetchall()
            tools = connection.execute("select content_hash, body from toolsets where run_id = ?", mine).fetchall()
        asked = (*(body for (body,) in cases), *(text for row in tools for text in row))
        outcomes = frozenset(outcome for _, outcome in rows)
        return cls(state, len(rows), frozenset(case for case, _ in rows), outcomes, attempts, asked)


def assert_whole(ended: Ended, home: Path, asked: Iterable[str]) -> None:
    """Every case graded exactly once, rightly, and what was asked unchanged."""
    assert ended.code == 0, ended
    kept = Kept.of(home, json.loads(ended.out)["run_id"])
    assert (kept.state, kept.rows, len(kept.cases), kept.attempts) == ("completed", CELLS, CELLS, CELLS)
    assert kept.outcomes == {"correct"}
    assert kept.asked == tuple(asked)
