"""A database of the previous revision, made by its own scripts and filled as its version filled it, loses nothing."""

import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from doubles.old_database import ROWS, fill, old_database
from doubles.store import NOON, a_row, an_attempt, engine_of
from plugineval.harness.outcomes import Outcome
from plugineval.server.store import Store, schema, tables

pytestmark = [pytest.mark.anyio]


@pytest.mark.requirement("X9")
async def test_everything_that_was_stored_is_there_and_is_the_first_grading(where: str) -> None:
    old_database(where, "0001")
    fill(where)
    async with Store.open(where) as store:
        found = list(await store.attempts.graded("run-a"))
        assert [attempt for attempt, _ in found] == [an_attempt(number) for number in range(ROWS)]
        assert list(await store.attempts.rows("run-a")) == [row for _, row in found]
        counts = {(count.variant, count.outcome): count.rows for count in await store.attempts.outcomes("run-a")}
        assert counts == {("", Outcome.WRONG_TOOL): 10, ("", Outcome.CORRECT): 30}
        summaries = {line.id: line.rows for line in (await store.runs.page()).items}
        assert summaries == {"run-a": ROWS, "run-b": 0}
        for name in summaries:
            (grading,) = await store.gradings.all(name)
            assert (grading.id, grading.judge, grading.at, grading.policy.meaning) == ("first", "none", NOON, "settle")
        report = await store.reports.get("run-a")
        assert (report.id, report.grading, report.body) == ("report-a", "first", {"title": 1})


@pytest.mark.requirement("X7", "X9")
async def test_a_migrated_run_goes_on_with_variants_and_with_further_gradings(where: str) -> None:
    old_database(where, "0001")
    fill(where)
    async with Store.open(where) as store:
        varied = an_attempt().model_copy(update={"variant": "v"}), a_row(variant="v")
        await store.attempts.append("run-a", *varied)
        (first,) = await store.gradings.all("run-a")
        await store.gradings.save("run-a", first.model_copy(update={"id": "grading-b"}))
        await store.attempts.grade_again("run-a", "grading-b", [varied[1]])
        assert len(list(await store.attempts.rows("run-a"))) == ROWS + 1
        assert list(await store.attempts.graded("run-a", "grading-b")) == [varied]


@pytest.mark.parametrize("revision", schema.REVISIONS)
def test_a_database_of_any_revision_is_brought_to_the_tables_of_this_one(where: str, revision: str) -> None:
    old_database(where, revision)
    if revision == schema.REVISIONS[0]:
        fill(where)
    Store.open(where).close()
    engine = engine_of(where)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), tables.metadata) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == schema.HEAD
    engine.dispose()


def test_a_migrated_database_has_the_tables_keys_and_indexes_of_a_new_one(place: Path, tmp_path: Path) -> None:
    old_database(str(place), "0001")
    fill(str(place))
    fresh = tmp_path / "fresh.db"
    for path in (place, fresh):
        Store.open(path).close()
    assert _shape(place) == _shape(fresh)


def test_counting_the_verdicts_of_a_grading_opens_no_row(place: Path) -> None:
    Store.open(place).close()
    with sqlite3.connect(place) as connection:
        query = (
            "EXPLAIN QUERY PLAN SELECT model, variant, outcome, count(*) FROM graded "
            "WHERE run_id = 'r' AND grading = 'first' GROUP BY model, variant, outcome"
        )
        plan = " ".join(row[3] for row in connection.execute(query))
    connection.close()
    assert "USING COVERING INDEX ix_graded_verdicts" in plan


def _shape(place: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(place) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        shape = {
            f"{name} {kind}": connection.execute(f"SELECT * FROM pragma_{kind}('{name}')").fetchall()
            for name in names
            for kind in ("table_info", "foreign_key_list")
        }
        indexes = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        shape["indexes"] = sorted(indexes.fetchall())
    connection.close()
    return shape
