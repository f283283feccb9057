"""The tables of scale.md, made from the inputs, and how the document holds them: between marks, never by hand."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from tabulate import tabulate

from benchmarks.scale_arithmetic import Load, ceilings, dollars, fewer, half_width, load
from benchmarks.scale_inputs import (
    MB,
    NODE_TB,
    POSTGRES,
    PRICES,
    SQLITE,
    TB,
    TIERS,
    Machine,
    Plan,
    Request,
    Weights,
)
from benchmarks.scale_simulation import Play, Scene

DOCUMENT = Path(__file__).with_name("scale.md")
_PLAN, _REQUEST, _MACHINE = Plan(), Request(), Machine()
_HELD = re.compile(r"(<!-- table: (?P<name>\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(document: str) -> str:
    """The document with every table made anew."""
    return _HELD.sub(lambda found: f"{found[1]}{TABLES[found['name']]()}\n{found[3]}", document)


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = [*headings]
    right = ["left", *["right"] * (len(columns) - 1)]
    return tabulate([[*row] for row in rows], columns, tablefmt="pipe", disable_numparse=True, colalign=right)


def _number(value: float) -> str:
    """Three digits that mean something."""
    if value >= 1e9:
        return f"{value / 1e9:,.3g} billion"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _rows() -> str:
    plan = _PLAN
    counts = {
        "cells: rows of `calls`, of `attempts` and of `graded` each": plan.cells,
        "cells of one run (one server's benchmark)": plan.cells_of_a_run,
        "runs, reports": plan.servers,
        "cases of runs": plan.servers * plan.cases,
        "shards of 100 cells, deliveries of the queue": plan.cells / _MACHINE.shard,
    }
    return _table(("what", "rows"), [(name, _number(count)) for name, count in counts.items()])


def _storage() -> str:
    sizes = {name: (getattr(SQLITE, name), getattr(POSTGRES, name)) for name in Weights._fields}
    sizes["all"] = (SQLITE.total, POSTGRES.total)
    sizes["all but the journal of finished runs"] = (SQLITE.total - SQLITE.calls, POSTGRES.total - POSTGRES.calls)
    rows = [
        [
            name,
            f"{lite:,.0f} B",
            f"{server:,.0f} B",
            f"{server * _PLAN.cells_of_a_run / 1e9:.2f} GB",
            f"{server * _PLAN.cells / TB:.1f} TB",
        ]
        for name, (lite, server) in sizes.items()
    ]
    nodes = math.ceil(POSTGRES.total * _PLAN.cells / TB / NODE_TB)
    rows.append([f"databases of {NODE_TB:.0f} TB", "", "", "", str(nodes)])
    return _table(("of a cell", "SQLite", "PostgreSQL", "one run", "the plan"), rows)


def _loads() -> str:
    loads = [load(_PLAN, _REQUEST, _MACHINE, tier) for tier in TIERS]
    lines: list[tuple[str, Callable[[Load], str]]] = [
        ("cells a second of one model", lambda each: _number(each.model_rate)),
        ("cells a second of all", lambda each: _number(each.rate)),
        ("days", lambda each: _number(each.days)),
        ("calls in flight", lambda each: _number(each.in_flight)),
        ("workers", lambda each: _number(each.workers)),
        ("cores of workers", lambda each: _number(each.cores)),
        ("commits a second", lambda each: _number(each.commits)),
        ("cores of the database", lambda each: _number(each.database_cores)),
        ("MB of its log a second", lambda each: _number(each.log / MB)),
        ("shards handed out a second", lambda each: _number(each.shards)),
        ("heartbeats a second", lambda each: _number(each.heartbeats)),
        ("meetings a second at one endpoint", lambda each: _number(each.meetings)),
        ("MB sent to providers a second", lambda each: _number(each.upload / MB)),
        ("hours between forced looks at all rows", lambda each: _number(each.freeze_hours)),
    ]
    rows = [[name, *(say(each) for each in loads)] for name, say in lines]
    return _table(("", *(each.tier for each in loads)), rows)


def _limits() -> str:
    rows = [[tier.name, f"{tier.calls_a_minute:,.0f}", f"{tier.tokens_a_minute:,.0f}"] for tier in TIERS]
    return _table(("tier (of one model)", "calls a minute", "tokens a minute"), rows)


def _costs() -> str:
    rows = [
        [
            price.name,
            f"{price.input:.2f}",
            f"{price.output:.2f}",
            f"{dollars(_PLAN, _REQUEST, price) / _PLAN.servers:,.0f}",
            f"{dollars(_PLAN, _REQUEST, price) / 1e6:.1f} million",
        ]
        for price in PRICES
    ]
    return _table(("price", "$ a million in", "$ a million out", "$ a run", "$ the plan"), rows)


def _smaller() -> str:
    rows = [
        [
            f"{cases:,} cases, {repeats} repeats",
            f"± {half_width(cases) * 100:.1f} points",
            f"{fewer(_PLAN, cases, repeats):.1%}",
            f"{POSTGRES.total * _PLAN.cells * fewer(_PLAN, cases, repeats) / TB:.1f} TB",
        ]
        for cases, repeats in ((3_000, 5), (3_000, 1), (1_000, 3), (300, 3), (300, 1))
    ]
    return _table(("a server", "interval of a rate of 80 %", "of the cells", "PostgreSQL"), rows)


SCENES = MappingProxyType(
    {
        "turns are what is short": Scene(model_rate=100),
        "calls in flight are": Scene(),
        "processors are": Scene(cpu_s=0.02, slots=256),
        "turns, one call in twenty fails": Scene(model_rate=100, fault=0.05),
        "turns, a worker dies every 20 s": Scene(model_rate=100, dies_every_s=20),
        "calls in flight, a worker dies every 20 s": Scene(dies_every_s=20),
    }
)


def _scenes() -> str:
    rows: list[list[str]] = []
    for name, scene in SCENES.items():
        played = Play(scene).play()
        rows.append(
            [
                name,
                f"{scene.least_s:.1f} s",
                f"{played.seconds:.1f} s",
                f"{played.seconds / scene.least_s:.2f}",
                str(played.deaths),
                str(played.repeats),
                f"{min(played.shares) / scene.cells:.0%} to {max(played.shares) / scene.cells:.0%}",
            ]
        )
    return _table(("20,000 cells", "formula", "simulated", "ratio", "deaths", "paid twice", "share of a worker"), rows)


def _ceilings() -> str:
    found = ceilings(_MACHINE)
    rows = [
        ["meetings at one endpoint", f"{found.meeting_workers:,.0f} workers", f"{found.meetings:,.0f}"],
        ["commits", f"{_MACHINE.commits_a_second:,.0f} a second", f"{found.commits:,.0f}"],
        ["a core of the database", f"{_MACHINE.cell_database_ms} ms a cell", f"{found.database_core:,.0f}"],
        ["a core that hands out shards", f"{_MACHINE.shard_database_ms} ms a shard", f"{found.shards_core:,.0f}"],
    ]
    return _table(("what ends", "at", "cells a second"), rows)


def _request() -> str:
    request = _REQUEST
    rows = [
        ["tools of a server", f"{request.tools:.1f}"],
        ["characters of a tool", f"{request.of_a_tool:,.0f}"],
        ["bytes of a request", f"{request.bytes:,.0f}"],
        ["tokens in", f"{request.input_tokens:,.0f}"],
        ["tokens out", f"{request.output_tokens:,.0f}"],
        ["tokens in, of the plan", _number(request.input_tokens * _PLAN.cells)],
        ["sent to providers", f"{request.bytes * _PLAN.cells / TB:,.0f} TB"],
        ["received", f"{request.answer_bytes * _PLAN.cells / TB:,.1f} TB"],
        [
            "kept, of what is sent",
            f"{request.tools * request.of_a_tool * _PLAN.servers / MB:,.0f} MB (each tool list once)",
        ],
    ]
    return _table(("of a request", "usual"), rows)


TABLES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {
        "rows": _rows,
        "storage": _storage,
        "request": _request,
        "limits": _limits,
        "loads": _loads,
        "costs": _costs,
        "ceilings": _ceilings,
        "scenes": _scenes,
        "smaller": _smaller,
    }
)
