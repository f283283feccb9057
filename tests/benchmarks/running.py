"""Runs the benchmarks that are named, or all, and prints what they measured beside their bars."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import cast

from rich.console import Console
from rich.table import Table

from benchmarks.machine import facts
from benchmarks.measured import Measured

THEMES = ("matrix", "grading", "reports", "start_up", "build", "sharing")
"""Modules of this package, each imported when it is run."""
ALONE = ("soak", "scale")
"""Run only when they are named, by themselves: each takes words of its own."""
_VERDICTS = {True: "met", False: "MISSED", None: ""}
_SIGNS = {"lower": "<=", "higher": ">="}


def main() -> None:
    """Exit code 1 where a bar was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"of {', '.join(THEMES)}; all without any; or {' or '.join(ALONE)} alone (see {ALONE[0]} --help)",
    )
    parser.add_argument("--large", action="store_true", help="also what takes many minutes")
    parser.add_argument("--json", action="store_true", help="print one object")
    if sys.argv[1:2] and sys.argv[1] in ALONE:
        found = {sys.argv[1]: _alone(sys.argv[1])(sys.argv[2:])}
        _show(facts(), found)
        sys.exit(_missed(found))
    said = parser.parse_args()
    if unknown := set(said.names) - set(THEMES):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}; there are {', '.join(THEMES)}")
    machine = facts()
    found = {name: measured_in(name, large=said.large) for name in said.names or THEMES}
    if said.json:
        sys.stdout.write(json.dumps({"machine": machine, "measured": _documents(found)}) + "\n")
    else:
        _show(machine, found)
    sys.exit(_missed(found))


def measured_in(name: str, *, large: bool = False) -> list[Measured]:
    """What the module of that name measures, and with `large` what it measures only when it is asked to."""
    module = import_module(f"benchmarks.{name}")
    wanted = ("measure", "measure_large") if large else ("measure",)
    asked = [cast("Callable[[], list[Measured]]", getattr(module, one)) for one in wanted if hasattr(module, one)]
    return [figure for measure in asked for figure in measure()]


def _alone(name: str) -> Callable[[Iterable[str]], list[Measured]]:
    return cast("Callable[[Iterable[str]], list[Measured]]", import_module(f"benchmarks.{name}").measure)


def _missed(found: dict[str, list[Measured]]) -> bool:
    return any(figure.met is False for figures in found.values() for figure in figures)


def _documents(found: dict[str, list[Measured]]) -> list[dict[str, object]]:
    return [
        {"benchmark": name, **figure._asdict(), "met": figure.met}
        for name, figures in found.items()
        for figure in figures
    ]


def _show(machine: dict[str, str], found: dict[str, list[Measured]]) -> None:
    table = Table(caption="; ".join(f"{name} {fact}" for name, fact in machine.items()), caption_justify="left")
    for heading in ("benchmark", "figure", "value", "unit", "bar", "", "compared with"):
        table.add_column(heading, justify="right" if heading in {"value", "bar"} else "left")
    for row in _lines(found):
        table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else 180).print(table)


def _lines(found: dict[str, list[Measured]]) -> Iterable[tuple[str, ...]]:
    for name, figures in found.items():
        for figure in figures:
            bar = "" if figure.bar is None else f"{_SIGNS[figure.better]} {_number(figure.bar)}"
            yield name, figure.name, _number(figure.value), figure.unit, bar, _VERDICTS[figure.met], figure.reference


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
