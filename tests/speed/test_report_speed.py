"""How long counting two hundred thousand stored rows takes, and reporting them, and in how little memory."""

from pathlib import Path
from typing import cast

import pytest

from benchmarks.report_rows import fill
from benchmarks.reports import CASES_S, MEMORY_MB, OUTCOMES_S, REPORT_MB, ROWS, counted, reported
from doubles.postgres import Postgres

pytestmark = pytest.mark.speed

PART, FEW = 200_000, 50_000
ROW_US = 60
"""What a row of a whole report may add, whose statistics are in it: three times what a quiet machine takes."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("large") / "plugineval.db"
    fill(place, PART)
    return place


def test_the_tables_of_a_large_run_are_counted_within_their_bars(database: Path) -> None:
    found = counted(database)
    share = PART / ROWS
    for name, bar in (("outcomes", OUTCOMES_S), ("cases", CASES_S)):
        took = cast("dict[str, float]", found[name])
        assert took["groups"] > 100
        assert took["processor_s"] <= bar * share, f"{name}: {took}"
    assert cast("float", found["memory_mb"]) <= MEMORY_MB


def test_a_whole_report_grows_with_rows_by_little_time_and_by_less_memory(database: Path, tmp_path: Path) -> None:
    fill(tmp_path / "few.db", FEW)
    few, many = reported(tmp_path / "few.db"), reported(database)
    # A floor is graded beside on every cell of the first of ten models.
    assert many["rows"] == PART + 3 * PART // 10
    added = (many["processor_s"] - few["processor_s"]) / (PART - FEW)
    assert added * 1e6 <= ROW_US, (few, many)
    assert many["memory_mb"] <= REPORT_MB * 0.6
    assert (many["memory_mb"] - few["memory_mb"]) * 1e6 / (PART - FEW) <= 150


def test_a_server_finds_the_next_rows_of_a_report_without_looking_at_those_before(postgres: Postgres) -> None:
    where = postgres.create()
    fill(where, FEW)
    # Where it looks at every row before a page, this many rows take minutes.
    assert reported(where)["wall_s"] <= 30
