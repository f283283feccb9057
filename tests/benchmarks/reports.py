"""What counting a stored run takes: the outcome table and the query-level one, each one pass over an index of its own.

Measured in a process of its own that opens the store and does nothing else, because its memory is a figure too. The
second index is bought with writing: plain inserts of such short rows take a fifth more time and room with it, 8 against
6.7 microseconds a row, which is nothing beside an answer of a model.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

from benchmarks.measured import Measured
from benchmarks.report_rows import RUN, fill

ROWS = 1_000_000
OUTCOMES_S, CASES_S, MEMORY_MB = 0.5, 1.5, 120
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


def measure() -> list[Measured]:
    """A million rows on SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plugineval.db"
        fill(path, ROWS)
        found = counted(path)
    outcomes, cases = (cast("dict[str, float]", found[name]) for name in ("outcomes", "cases"))
    return [
        Measured("outcome table", outcomes["processor_s"], "s", OUTCOMES_S, _beside(outcomes)),
        Measured("query-level table", cases["processor_s"], "s", CASES_S, _beside(cases)),
        Measured("memory of the process", cast("float", found["memory_mb"]), "MB", MEMORY_MB, "both tables"),
    ]


def counted(path: Path) -> dict[str, object]:
    """What counting the run in the database at `path` took: wall and processor seconds of each table, memory."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", _COUNTING, str(path), RUN]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return cast("dict[str, object]", json.loads(said.stdout))


def _beside(took: dict[str, float]) -> str:
    return f"{ROWS:,} rows in {took['groups']:.0f} groups; {took['wall_s']:.2f} s on the clock"
