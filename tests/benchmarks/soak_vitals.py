"""What a server holds as hours go by, sample by sample, and how each of it moves: Theil and Sen's slope.

It is told for an hour or for a job. It is the median of the slopes of all pairs, so that one spike moves nothing; its
interval is that of 95 percent.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple, cast

import psutil
from scipy.stats import theilslopes

MIB = 2**20


@dataclass(frozen=True, kw_only=True)
class Held:
    """Of a process and the database it writes: MiB, counts, and seconds of the processor."""

    rss: float
    uss: float
    files: int
    threads: int
    children: int
    database: float
    log: float
    """The write-ahead log."""
    cpu_s: float

    @staticmethod
    def by(process: psutil.Process, database: Path) -> "Held":
        """As it is now; a journal that is not there is empty."""
        memory, times = process.memory_full_info(), process.cpu_times()
        log = database.with_name(database.name + "-wal")
        return Held(
            rss=memory.rss / MIB,
            uss=memory.uss / MIB,
            files=process.num_fds(),
            threads=process.num_threads(),
            children=len(process.children(recursive=True)),
            database=database.stat().st_size / MIB,
            log=log.stat().st_size / MIB if log.exists() else 0.0,
            cpu_s=times.user + times.system,
        )


@dataclass(frozen=True, kw_only=True)
class Vitals(Held):
    """One sample: seconds since the beginning, and what was read since the sample before, in seconds."""

    at_s: float
    calls: int
    jobs: int
    reads: tuple[float, ...]

    @property
    def line(self) -> dict[str, float]:
        """For a picture: with the usual and the slow read in place of all of them."""
        ordered = sorted(self.reads) or [0.0]
        said = asdict(self) | {"p50": ordered[len(ordered) // 2], "p95": ordered[int(len(ordered) * 0.95)]}
        del said["reads"]
        return said


class Trend(NamedTuple):
    """Change an hour, or a job, and the interval that holds it with 95 percent."""

    slope: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.slope:+.1f}, 95 % in {self.low:+.1f} to {self.high:+.1f}"


def trend(samples: Sequence[Vitals], name: str) -> Trend:
    """Of one column, an hour."""
    return _slope(samples, name, [sample.at_s / 3600 for sample in samples])


def trend_of_jobs(samples: Sequence[Vitals], name: str) -> Trend:
    """Of one column, a job."""
    return _slope(samples, name, [sample.jobs for sample in samples])


def _slope(samples: Sequence[Vitals], name: str, along: Sequence[float]) -> Trend:
    found = theilslopes([cast("float", getattr(sample, name)) for sample in samples], along)
    return Trend(float(found.slope), float(found.low_slope), float(found.high_slope))


def marked(marker: str) -> list[str]:
    """Every process whose environment carries the marker, as its number and command."""
    return [
        f"{process.pid} {' '.join(process.cmdline())[:120]}"
        for process in psutil.process_iter()
        if _carries(process, marker)
    ]


def _carries(process: psutil.Process, marker: str) -> bool:
    try:
        return marker in process.environ().values()
    except psutil.Error:
        return False


def floors(samples: Sequence[Vitals], name: str, window_s: float) -> list[Vitals]:
    """The sample of each window that has least of a column: what is open in passing comes and goes, a leak stays."""
    return [min(each, key=lambda sample: getattr(sample, name)) for each in _windows(samples, window_s)]


def slow_reads(samples: Iterable[Vitals], window_s: float) -> list[float]:
    """The 95th percentile of every window of so many seconds."""
    windows = ([read for sample in each for read in sample.reads] for each in _windows(samples, window_s))
    return [sorted(reads)[int(len(reads) * 0.95)] for reads in windows if reads]


def work_a_call(samples: Sequence[Vitals], window_s: float) -> list[float]:
    """Seconds of the server's processor for each call, in every whole window: what other programs hardly change."""
    marks = [samples[0], *(each[-1] for each in _windows(samples, window_s))]
    return [
        (after.cpu_s - before.cpu_s) / max(after.calls - before.calls, 1)
        for before, after in pairwise(marks)
        if after.at_s - before.at_s > window_s / 2
    ]


def _windows(samples: Iterable[Vitals], window_s: float) -> Iterator[list[Vitals]]:
    """Samples, which are in their order, by windows of so many seconds."""
    return (list(each) for _, each in groupby(samples, key=lambda sample: int(sample.at_s // window_s)))
