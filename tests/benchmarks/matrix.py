"""What a durable, fully graded case of a matrix costs, beside bare loops that ask the same and keep nothing.

The ideal is cases x latency / concurrency: no run can be sooner. What comes on top of it is the processor time of a
case, of which asking is the smaller part, and two commits that every case waits for: its answer is durable before it is
graded, and its row before the next case is taken. Many cases share a commit, which lingers 2 ms to be shared: a worker
is away from the endpoint for some 5 of 58 ms. That is the price of repeating no more paid calls than were in flight,
and it is nothing where answers take a second.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.asgi_endpoint import LATENCY_S, right_answer
from benchmarks.matrix_process import Spent, Task
from benchmarks.measured import Measured
from doubles.postgres import Postgres

TESTS = Path(__file__).resolve().parents[1]
FEW, CASES, CONCURRENCY = 64, 1000, 64
TOOLS, MANY_TOOLS = 5, 50
CELLS, MANY_CELLS = 10_000, 100_000
ROUNDS = 3
FLAT = 1.05


class Bench:
    """A folder of cases, and an endpoint that answers them."""

    def __init__(self, folder: Path, base_url: str) -> None:
        self._folder = folder
        self._base_url = base_url
        self._homes = 0

    @classmethod
    @contextmanager
    def running(cls) -> "Generator[Bench]":
        """With a process that answers, as long as the block lasts."""
        with (
            tempfile.TemporaryDirectory(prefix="matrix-") as folder,
            _process("asgi_endpoint", str(LATENCY_S)) as served,
        ):
            assert served.stdout is not None
            yield cls(Path(folder), served.stdout.readline().strip())

    def spent(self, who: str, *, cases: int = CASES, tools: int = TOOLS, repeats: int = 1, database: str = "") -> Spent:
        """What a process of its own spends on `cases` x `repeats`."""
        self._homes += 1
        home = self._folder / f"home-{self._homes}"
        home.mkdir()
        if database:
            (home / "plugineval.toml").write_text(f'[store]\nurl = "{database}"\n')
        task = Task(
            self._base_url, str(self._file(FEW, tools)), str(self._file(cases, tools)), str(home), CONCURRENCY, repeats
        )
        with _process("matrix_process", who, json.dumps(task._asdict())) as process:
            said, _ = process.communicate()
        return Spent(**json.loads(said))

    def _file(self, cases: int, tools: int) -> Path:
        path = self._folder / f"{cases}-{tools}.jsonl"
        if not path.exists():
            with path.open("w", encoding="utf-8") as out:
                out.writelines(f"{json.dumps(case)}\n" for case in _cases(cases, tools))
        return path


def measure() -> list[Measured]:
    """A few minutes on a quiet machine of two cores."""
    with Bench.running() as bench, _databases() as new_database:
        runs: dict[str, Callable[[], Spent]] = {
            "ours": lambda: bench.spent("ours"),
            "aiohttp": lambda: bench.spent("aiohttp"),
            "openai": lambda: bench.spent("openai"),
            "tools": lambda: bench.spent("ours", tools=MANY_TOOLS),
            "cells": lambda: bench.spent("ours", repeats=CELLS // CASES),
            "cases": lambda: bench.spent("ours", cases=5 * CASES),
        }
        if new_database is not None:
            runs["postgres"] = lambda: bench.spent("ours", database=new_database())
        least = _least(runs)
    return [*_beside(least), *_flat(least)]


def measure_large() -> list[Measured]:
    """100,000 cells beside 1,000, once each."""
    with Bench.running() as bench:
        few, many = bench.spent("ours"), bench.spent("ours", repeats=MANY_CELLS // CASES)
    each = _each_ms(few, CASES), _each_ms(many, MANY_CELLS)
    ideal_s = MANY_CELLS * LATENCY_S / CONCURRENCY
    beside = f"of a cell, {MANY_CELLS:,} cells against {CASES:,}: {each[1]:.2f} and {each[0]:.2f} ms"
    return [
        Measured("100,000 cells", each[1] / each[0], "x processor time", FLAT, beside),
        Measured("100,000 cells", many.wall_s / ideal_s, "x ideal wall", None, f"ideal {ideal_s:.1f} s"),
        Measured("100,000 cells", many.peak_mb - few.peak_mb, "MB more", 20, f"{CASES:,} cells: {few.peak_mb:.0f} MB"),
    ]


def _least(runs: dict[str, Callable[[], Spent]]) -> dict[str, Spent]:
    """The least of every figure over some rounds in turn: others on the machine only ever make it more."""
    found: dict[str, list[Spent]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            found[name].append(run())
    return {name: Spent(*map(min, zip(*spent, strict=True))) for name, spent in found.items()}


def _beside(least: dict[str, Spent]) -> Iterator[Measured]:
    ideal_s = CASES * LATENCY_S / CONCURRENCY
    bare, sdk = least["aiohttp"], least["openai"]
    walls = f"bare aiohttp loop {bare.wall_s / ideal_s:.2f}, bare openai loop {sdk.wall_s / ideal_s:.2f}"
    costs = f"bare aiohttp loop {_each_ms(bare, CASES):.2f}, bare openai loop {_each_ms(sdk, CASES):.2f}"
    for where, name, bar in (("SQLite", "ours", 1.6), ("PostgreSQL", "postgres", 1.8)):
        if name in least:
            yield Measured(f"1,000 cases, {where}", least[name].wall_s / ideal_s, "x ideal wall", bar, walls)
            yield Measured(f"1,000 cases, {where}", _each_ms(least[name], CASES), "ms processor/case", 1.0, costs)
    ours = least["ours"]
    yield Measured("report and all that does not grow", ours.few_s, "s processor", None, f"a run of {FEW} cases, warm")
    yield Measured("peak of the process", ours.peak_mb, "MB", None, f"bare openai loop {sdk.peak_mb:.0f}")


def _flat(least: dict[str, Spent]) -> Iterator[Measured]:
    ours, each = least["ours"], _each_ms(least["ours"], CASES)
    told = f"{each:.2f} ms a case of 1,000 with {TOOLS} tools"
    asking = least["tools"].asking_s / ours.asking_s
    beside = (
        f"{1000 * ours.asking_s / CASES:.2f} ms with {TOOLS}; a file repeats all {MANY_TOOLS} in every line, to be read"
    )
    yield Measured(f"{MANY_TOOLS} tools: asking, grading, storing", asking, "x processor/case", FLAT, beside)
    for name, what, cells in (
        ("cells", f"{CELLS:,} cells of 1,000 cases", CELLS),
        ("cases", f"{5 * CASES:,} cases", 5 * CASES),
    ):
        yield Measured(what, _each_ms(least[name], cells) / each, "x processor/case", FLAT, told)
        yield Measured(what, least[name].peak_mb - ours.peak_mb, "MB more", 20, f"1,000: {ours.peak_mb:.0f} MB")


def _each_ms(spent: Spent, cells: int) -> float:
    """Processor time that a cell adds."""
    return 1000 * (spent.many_s - spent.few_s) / (cells - FEW)


def _cases(number: int, tools: int) -> Iterator[dict[str, object]]:
    offered = [_tool("add"), *(_tool(f"other_{index}") for index in range(tools - 1))]
    for index in range(number):
        gold = [{"name": "add", "arguments": right_answer(index)}]
        query = f"case {index}: what is {index} plus 1?"
        yield {"id": f"c{index}", "query": query, "tools": offered, "gold": gold, "sample_type": "positive"}


def _tool(name: str) -> dict[str, object]:
    numbers = {"a": "The first number.", "b": "The second number."}
    properties = {argument: {"type": "integer", "description": said} for argument, said in numbers.items()}
    schema = {"type": "object", "properties": properties, "required": [*numbers]}
    return {"name": name, "description": "Add two numbers and give their sum.", "input_schema": schema}


@contextmanager
def _process(module: str, *words: str) -> "Generator[subprocess.Popen[str]]":
    # Without .pyc files every process would mostly compile.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", f"benchmarks.{module}", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _databases() -> "Generator[Callable[[], str] | None]":
    """What makes new databases on a server of its own; None where no server is installed."""
    try:
        running = Postgres.running()
        with running as server:
            yield server.create
    except pytest.skip.Exception:
        yield None
