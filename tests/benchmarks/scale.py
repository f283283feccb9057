"""`python -m tests.benchmarks scale`: the plan beyond one machine, simulated beside its formulas.

`--weigh` measures again what the plan starts from (needs PostgreSQL, mcp-server-time and mcp-mathematics);
`--write` makes the tables of scale.md anew.
"""

import argparse
from collections.abc import Iterable
from statistics import mean

import anyio

from benchmarks.measured import Measured
from benchmarks.scale_inputs import POSTGRES, SQLITE, Machine, Request, Weights
from benchmarks.scale_simulation import Play
from benchmarks.scale_tables import DOCUMENT, SCENES, written

LIKE_THE_FORMULA = 1.1
"""Where no worker dies: what is left is the end of a run, whose calls have nobody to follow them."""
LIKE_THE_INPUT = 1.25


def measure(words: Iterable[str] = ()) -> list[Measured]:
    """The scenes; with `--weigh` the inputs too."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks scale", description=__doc__)
    parser.add_argument("--weigh", action="store_true", help="measure what the plan starts from, on real servers")
    parser.add_argument("--write", action="store_true", help="make the tables of the document anew")
    said = parser.parse_args([*words])
    if said.write:
        DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return [*simulated(), *(weighed() if said.weigh else [])]


def simulated() -> list[Measured]:
    """Seconds of a scene over those of its formula."""
    found: list[Measured] = []
    for name, scene in SCENES.items():
        played = Play(scene).play()
        bar = LIKE_THE_FORMULA if not played.deaths else None
        told = (
            f"{played.seconds:.1f} s, formula {scene.least_s:.1f} s; {played.deaths} deaths, {played.repeats} repeats"
        )
        found.append(Measured(name, played.seconds / scene.least_s, "x", bar, told))
    return found


def weighed() -> list[Measured]:
    """What is measured over what scale_inputs.py says."""
    from benchmarks.scale_cell import TABLES, all_weighed
    from benchmarks.scale_database import database_costs

    cells = anyio.run(all_weighed)
    found: list[Measured] = []
    for kind, said in (("SQLite", SQLITE), ("PostgreSQL", POSTGRES)):
        weights = Weights(*(mean(each.tables[name] for each in cells[kind]) for name in TABLES))
        found.append(_beside(f"bytes of a cell, {kind}", weights.total, said.total, "B"))
    request, machine = Request(), Machine()
    rest = mean(each.request - each.listed for each in cells["SQLite"])
    answers = mean(each.answer for each in cells["SQLite"])
    written, fetched, met = anyio.run(database_costs)
    return [
        *found,
        _beside("request without its tools", rest, request.rest, "characters"),
        _beside("answer", answers, request.answer_bytes, "B"),
        _beside("log of a cell", written.log_bytes, machine.cell_log, "B"),
        _beside("database, a cell", written.cpu_ms, machine.cell_database_ms, "ms of processor", sure=False),
        _beside("database, a shard", fetched.cpu_ms, machine.shard_database_ms, "ms of processor", sure=False),
        *(
            _beside(f"meeting of {each.members}", each.wall_ms / 1e3, machine.meeting_s, "s", sure=False)
            for each in met
        ),
    ]


def _beside(name: str, value: float, said: float, unit: str, *, sure: bool = True) -> Measured:
    """Bytes are the same on every machine; what takes time is not."""
    return Measured(name, value, unit, said * LIKE_THE_INPUT if sure else None, f"the plan says {said:,.4g}")
