"""What a soak came to, beside what is allowed: growth after the warm-up, what is left over, errors, and how it felt."""

import json
from collections.abc import Mapping, Sequence

from benchmarks.measured import Measured
from benchmarks.soak_clients import Soaked
from benchmarks.soak_vitals import MIB, Trend, Vitals, floors, slow_reads, trend, trend_of_jobs, work_a_call

WINDOW_S = 300.0
"""For which the slow reads are told."""
WARM = 2 / 3
"""Of the time: caches of grading and reports are full after some 1,300 jobs, twenty minutes of thirty."""
# A forgotten run or session would be ten times as much. A machine that is busy with others does few jobs an hour: what
# each of them leaves shows there all the same.
GROWTH = {"uss": ("MiB/h", 20.0), "rss": ("MiB/h", 20.0)}
PASSING = {"files": ("1/h", 2.0), "threads": ("1/h", 2.0)}
"""Of these a server has more while it answers: the least of every minute is looked at, of all but the first."""
FLOOR_S = 60.0
BEGUN = 1 / 6
A_JOB_KIB = 2.0
TELLING_S = 1_500.0
"""A shorter soak says nothing of growth."""
MOST_LOG_MIB = 64.0


def figures(samples: Sequence[Vitals], met: Soaked, census: Mapping[str, list[str]], rows: int) -> list[Measured]:
    """All of them; `rows` is how many the database holds at the end."""
    steady = samples[int(len(samples) * WARM) :]
    begun = samples[int(len(samples) * BEGUN) :]
    return [
        *(_growth(steady, name, *bar) for name, bar in GROWTH.items()),
        *(_growth(floors(begun, name, FLOOR_S), name, *bar) for name, bar in PASSING.items()),
        _growth_of_jobs(steady),
        Measured("left over processes", sum(map(len, census.values())), "", 0, json.dumps(dict(census))),
        Measured("errors", len(met.wrong), "", 0, "; ".join(met.wrong[:3])),
        Measured(
            "write-ahead log, most", max(each.log for each in samples), "MiB", MOST_LOG_MIB, "what a restart reads"
        ),
        _database(samples, rows),
        *_felt(samples),
        Measured("calls", met.tally.calls.total(), "", None, json.dumps(met.ended)),
    ]


def _growth(steady: Sequence[Vitals], name: str, unit: str, bar: float) -> Measured:
    first, last = getattr(steady[0], name), getattr(steady[-1], name)
    return _judged(f"{name}, certain growth", trend(steady, name), (unit, bar), steady, f"{first:.0f} -> {last:.0f}")


def _growth_of_jobs(steady: Sequence[Vitals]) -> Measured:
    found = Trend(*(each * 1024 for each in trend_of_jobs(steady, "uss")))
    return _judged("uss, certain growth a job", found, ("KiB", A_JOB_KIB), steady, "the same")


def _judged(name: str, found: Trend, allowed: tuple[str, float], steady: Sequence[Vitals], moved: str) -> Measured:
    unit, bar = allowed
    jobs = steady[-1].jobs - steady[0].jobs
    # The lower end of the interval: what is certain of it, since counts jump from sample to sample.
    judged = bar if steady[-1].at_s > TELLING_S else None
    return Measured(name, found.low, unit, judged, f"{moved} in {jobs} jobs: {found}")


def _database(samples: Sequence[Vitals], rows: int) -> Measured:
    return Measured("database", samples[-1].database * MIB / max(rows, 1), "B/row", None, f"{rows} rows")


def _felt(samples: Sequence[Vitals]) -> list[Measured]:
    slow, work = slow_reads(samples, WINDOW_S), work_a_call(samples, WINDOW_S)
    told = [Measured("p95 of reads, last", slow[-1] * 1e3, "ms", None, f"each 5 min: {_list(slow)}")]
    if work:
        told.append(Measured("processor a call, last", work[-1] * 1e3, "ms", None, f"each 5 min: {_list(work)}"))
    return told


def _list(seconds: Sequence[float]) -> str:
    return ", ".join(f"{each * 1e3:.0f}" for each in seconds)
