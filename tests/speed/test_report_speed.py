"""How long counting two hundred thousand stored rows takes, and in how little memory."""

from pathlib import Path
from typing import cast

import pytest

from benchmarks.report_rows import fill
from benchmarks.reports import CASES_S, MEMORY_MB, OUTCOMES_S, ROWS, counted

pytestmark = pytest.mark.speed

PART = 200_000


def test_the_tables_of_a_large_run_are_counted_within_their_bars(tmp_path: Path) -> None:
    fill(tmp_path / "plugineval.db", PART)
    found = counted(tmp_path / "plugineval.db")
    share = PART / ROWS
    for name, bar in (("outcomes", OUTCOMES_S), ("cases", CASES_S)):
        took = cast("dict[str, float]", found[name])
        assert took["groups"] > 100
        assert took["processor_s"] <= bar * share, f"{name}: {took}"
    assert cast("float", found["memory_mb"]) <= MEMORY_MB
