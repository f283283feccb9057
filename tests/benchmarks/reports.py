"""What reading a large stored run takes: its outcome table, its query-level one, and the whole report.

Measured in a process of its own that opens the store and does nothing else, because its memory is a figure too. On
PostgreSQL the work is the server's, so that its time is the clock's. The second index is bought with writing: plain
inserts of such short rows take a fifth more time and room with it, 8 against 6.7 microseconds a row, which is nothing
beside an answer of a model.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from benchmarks.measured import Measured
from benchmarks.report_rows import RUN, fill
from doubles.postgres import Postgres

ROWS, TENTH = 1_000_000, 100_000
OUTCOMES_S, CASES_S, MEMORY_MB = 0.5, 1.5, 120
REPORT_MB = 250
_COUNTING = """
import json, sys, time
import anyio
from benchmarks.peak import peak_mb
from plugineval.server.store.store import Store
async def main(path, run, found):
    async with Store.open(path) as store:
        for name in ("outcomes", "cases"):
            for _ in range(3):
                wall, cpu = time.perf_counter(), time.process_time()
                counts = await getattr(store.attempts, name)(run)
                took = {"wall_s": time.perf_counter() - wall, "processor_s": time.process_time() - cpu}
                if name not in found or took["wall_s"] < found[name]["wall_s"]:
                    found[name] = took | {"groups": len(counts)}
    found["memory_mb"] = peak_mb()
    print(json.dumps(found))
anyio.run(main, sys.argv[1], sys.argv[2], {})
"""
_REPORTING = """
import json, sys, time
import anyio
from benchmarks.peak import peak_mb
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.evaluate_report import keep_report
from plugineval.server.store.store import Store
async def main(path, run):
    async with Store.open(path) as store:
        info, grading = await store.runs.get(run), await store.gradings.get(run)
        cases = await store.runs.packed_cases(run)
        wall, cpu = time.perf_counter(), time.process_time()
        with rare_collections():
            report = await keep_report(store, info, cases, grading)
        took = {"wall_s": time.perf_counter() - wall, "processor_s": time.process_time() - cpu}
        print(json.dumps(took | {"rows": sum(model.rows for model in report.models), "memory_mb": peak_mb()}))
anyio.run(main, sys.argv[1], sys.argv[2])
"""


def measure() -> list[Measured]:
    """A million rows on SQLite, and on PostgreSQL where it is installed."""
    with tempfile.TemporaryDirectory() as folder:
        path, small = Path(folder) / "plugineval.db", Path(folder) / "small.db"
        fill(path, ROWS)
        fill(small, TENTH)
        return [*_on_sqlite(counted(path)), *_whole(reported(small), reported(path)), *_on_postgres()]


def counted(where: str | Path) -> dict[str, object]:
    """What counting the run in the database took: wall and processor seconds of each table, memory."""
    return _said(_COUNTING, where)


def reported(where: str | Path) -> dict[str, float]:
    """What its whole report took: wall and processor seconds, and memory; with the rows that it counts."""
    return cast("dict[str, float]", _said(_REPORTING, where))


def _on_sqlite(found: dict[str, object]) -> Iterator[Measured]:
    outcomes, cases = (cast("dict[str, float]", found[name]) for name in ("outcomes", "cases"))
    yield Measured("outcome table", outcomes["processor_s"], "s", OUTCOMES_S, _beside(outcomes))
    yield Measured("query-level table", cases["processor_s"], "s", CASES_S, _beside(cases))
    yield Measured("memory of the process", cast("float", found["memory_mb"]), "MB", MEMORY_MB, "both tables")


def _whole(small: dict[str, float], large: dict[str, float]) -> Iterator[Measured]:
    tenth = f"{small['processor_s']:.1f} s and {small['memory_mb']:.0f} MB of {TENTH:,}"
    yield Measured("whole report", large["processor_s"], "s processor", None, f"{ROWS:,} rows; {tenth}")
    yield Measured("memory of the process", large["memory_mb"], "MB", REPORT_MB, "the whole report")


def _on_postgres() -> Iterator[Measured]:
    try:
        with Postgres.running() as server:
            url = server.create()
            fill(url, ROWS)
            found = counted(url)
    except pytest.skip.Exception:
        return
    for name, title, bar in (("outcomes", "outcome table", OUTCOMES_S), ("cases", "query-level table", CASES_S)):
        took = cast("dict[str, float]", found[name])
        yield Measured(f"{title}, PostgreSQL", took["wall_s"], "s wall", bar, _beside(took))


def _said(script: str, where: str | Path) -> dict[str, object]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")])
    )
    command = [sys.executable, "-c", script, str(where), RUN]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return cast("dict[str, object]", json.loads(said.stdout))


def _beside(took: dict[str, float]) -> str:
    return f"{ROWS:,} rows in {took['groups']:.0f} groups; {took['wall_s']:.2f} s on the clock"
