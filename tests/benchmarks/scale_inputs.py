"""What the plan beyond one machine starts from: what was measured, what is assumed, and what is wanted.

Measured with `python -m tests.benchmarks scale --weigh` on 30 November 2026 (two shared cores, PostgreSQL 15, SQLite
3.40); whoever measures something else changes it here, and `--write` writes the document again.
"""

from typing import NamedTuple

from plugineval.pccf.expected_tokens import CHARACTERS_PER_TOKEN

DAY_S = 86_400
KB, MB, TB = 1e3, 1e6, 1e12


class Plan(NamedTuple):
    """What is wanted: every model on every case of every server."""

    servers: int = 10_000
    cases: int = 3_000
    models: int = 50
    repeats: int = 5

    @property
    def cells_of_a_run(self) -> int:
        """A run is one server's benchmark."""
        return self.cases * self.models * self.repeats

    @property
    def cells(self) -> int:
        """All of them."""
        return self.servers * self.cells_of_a_run


class Weights(NamedTuple):
    """Bytes of a cell in each table with its indexes, means of two real servers' runs."""

    calls: float
    attempts: float
    graded: float

    @property
    def total(self) -> float:
        """The whole cell."""
        return sum(self)


SQLITE = Weights(calls=1_560, attempts=1_480, graded=900)
POSTGRES = Weights(calls=1_670, attempts=1_660, graded=1_110)


class Request(NamedTuple):
    """Characters; the tool lists are those of seven real servers with 85 tools."""

    tools: float = 85 / 7
    of_a_tool: float = 581
    rest: float = 500
    """Prompt, clock and question."""
    answer: float = 200
    """The call that a model writes."""
    answer_bytes: float = 640
    """The document that it comes in."""

    @property
    def bytes(self) -> float:
        """On the wire."""
        return self.rest + self.tools * self.of_a_tool

    @property
    def input_tokens(self) -> float:
        """At four characters a token."""
        return self.bytes / CHARACTERS_PER_TOKEN

    @property
    def output_tokens(self) -> float:
        """The same."""
        return self.answer / CHARACTERS_PER_TOKEN


class Machine(NamedTuple):
    """What work costs; milliseconds are of processor where nothing else is said."""

    cell_ms: float = 1.0
    """A worker, a cell: the bar of the benchmark `matrix`."""
    cell_database_ms: float = 0.07
    """PostgreSQL, the three rows of a cell, where 64 share a commit."""
    cell_log: float = 2_950
    """Bytes of its write-ahead log."""
    shard_database_ms: float = 0.4
    """To hand out one shard and to end it."""
    meeting_s: float = 0.002
    """One meeting at an endpoint, on the clock: meetings of one endpoint come one after the other."""
    commit_s: float = 0.004
    """Assumed: a commit on a server with a good disk, with the 2 ms for which a writer waits for others."""
    commits_a_second: float = 10_000
    """Assumed: what such a server takes from many connections."""
    latency_s: float = 2.0
    """Assumed: of a call."""
    slots: int = 256
    """Assumed: calls in flight that one worker is allowed."""
    shard: int = 100
    heartbeat_s: float = 2.0
    shards_at_once: int = 2
    meetings_a_second: float = 4.0
    """Of one worker at one endpoint whose turns are used up."""
    busy: float = 0.6
    """Assumed: of a core, at most."""


class Tier(NamedTuple):
    """What a provider allows for one model; assumed, as real ones differ and change."""

    name: str
    calls_a_minute: float
    tokens_a_minute: float


TIERS = (
    Tier("entry", 500, 200_000),
    Tier("grown", 5_000, 4_000_000),
    Tier("large", 30_000, 150_000_000),
    Tier("own hardware", 120_000, 600_000_000),
)


class Price(NamedTuple):
    """Dollars for a million tokens; assumed."""

    name: str
    input: float
    output: float


PRICES = (Price("small model", 0.15, 0.60), Price("middle", 1.00, 4.00), Price("large", 5.00, 20.00))
NODE_TB = 8.0
"""What one database server holds and still vacuums and restores within a day; assumed."""
FREEZE_AFTER = 200e6
"""Transactions after which PostgreSQL has to look at all rows once more (`autovacuum_freeze_max_age`)."""
