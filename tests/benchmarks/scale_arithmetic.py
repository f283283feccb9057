"""The closed formulas of the plan: what a provider's limits make of time, workers, database and money."""

import math
from typing import NamedTuple

from benchmarks.scale_inputs import DAY_S, FREEZE_AFTER, Machine, Plan, Price, Request, Tier


class Load(NamedTuple):
    """What a plan is under one tier. Rates are a second."""

    tier: str
    model_rate: float
    """Cells of one model: the lower of its two limits."""
    rate: float
    """Cells of all models."""
    days: float
    in_flight: float
    workers: int
    cores: float
    """Of all workers."""
    commits: float
    database_cores: float
    log: float
    """Bytes of the database's write-ahead log."""
    shards: float
    """Handed out."""
    heartbeats: float
    meetings: float
    """Of one endpoint."""
    upload: float
    """Bytes."""
    freeze_hours: float
    """Between two looks at all rows that transaction numbers force."""


def load(plan: Plan, request: Request, machine: Machine, tier: Tier) -> Load:
    """Every model asked as fast as its provider allows, all at once."""
    tokens = request.input_tokens + request.output_tokens
    model_rate = min(tier.calls_a_minute, tier.tokens_a_minute / tokens) / 60
    rate = model_rate * plan.models
    in_flight = rate * machine.latency_s
    cores = rate * machine.cell_ms / 1e3 / machine.busy
    workers = max(1, math.ceil(max(in_flight / machine.slots, cores)))
    # A cell waits for two commits; a worker makes them one after the other, and what arrives meanwhile shares the next.
    commits = min(2 * rate, workers / machine.commit_s)
    shards = rate / machine.shard
    return Load(
        tier=tier.name,
        model_rate=model_rate,
        rate=rate,
        days=plan.cells / plan.models / model_rate / DAY_S,
        in_flight=in_flight,
        workers=workers,
        cores=cores,
        commits=commits,
        database_cores=(rate * machine.cell_database_ms + shards * machine.shard_database_ms) / 1e3,
        log=rate * machine.cell_log,
        shards=shards,
        heartbeats=workers * machine.shards_at_once / machine.heartbeat_s,
        # A worker uses every endpoint, since its shards are of all models.
        meetings=workers * machine.meetings_a_second,
        upload=rate * request.bytes,
        freeze_hours=FREEZE_AFTER / commits / 3600,
    )


class Ceilings(NamedTuple):
    """Where each part of the product ends; cells a second of a whole database but for the last, which is workers."""

    meeting_workers: float
    """Workers whose meetings at one endpoint fill its row."""
    meetings: float
    """Cells a second of all models with that many workers."""
    commits: float
    database_core: float
    """Of one core of the database."""
    shards_core: float
    """Handed out by one core, in cells."""


def ceilings(machine: Machine) -> Ceilings:
    """Each by itself."""
    workers = 1 / machine.meeting_s / machine.meetings_a_second
    of_a_worker = min(machine.slots / machine.latency_s, machine.busy * 1e3 / machine.cell_ms)
    # The commits of a worker are one after the other, so that workers times that is what the server has to take.
    committing = machine.commits_a_second * machine.commit_s
    return Ceilings(
        meeting_workers=workers,
        meetings=workers * of_a_worker,
        commits=machine.commits_a_second / 2 if of_a_worker * 2 * machine.commit_s < 1 else committing * of_a_worker,
        database_core=1e3 / machine.cell_database_ms,
        shards_core=1e3 / machine.shard_database_ms * machine.shard,
    )


def dollars(plan: Plan, request: Request, price: Price) -> float:
    """Of all cells, at one price."""
    return plan.cells * (request.input_tokens * price.input + request.output_tokens * price.output) / 1e6


def half_width(cases: int, share: float = 0.8) -> float:
    """Of the 95 percent interval of a rate over so many cases, each counted once."""
    return 1.96 * math.sqrt(share * (1 - share) / cases)


def fewer(plan: Plan, cases: int, repeats: int) -> float:
    """The part of the cells that remains."""
    return cases * repeats / (plan.cases * plan.repeats)
