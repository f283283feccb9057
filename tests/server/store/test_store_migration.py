"""A database of the previous revision, made by its own scripts and filled as its version filled it, loses nothing."""

import json
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from doubles.store import NOON, a_case, a_row, a_run, an_attempt
from plugineval.harness.outcomes import Outcome
from plugineval.server.store import Store, schema
from plugineval.server.store.bodies import to_text

pytestmark = [pytest.mark.anyio]

ROWS = 40
STAMP = NOON.strftime("%Y-%m-%d %H:%M:%S.%f")


def old_database(place: Path, revision: str) -> None:
    """The tables of `revision`, made as they were made then."""
    place.parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(f"sqlite:///{place}")
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def fill(place: Path) -> None:
    """Two runs, of which one has rows and a report, as revision 0001 kept them."""
    with sqlite3.connect(place) as connection:
        for name in ("run-a", "run-b"):
            body = json.loads(to_text(a_run(name)))
            del body["config"]["meaning"], body["config"]["variants"], body["scope"]["gold_hash"]
            run = (name, None, "cases.jsonl", "completed", STAMP, STAMP, json.dumps(body))
            connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", run)
        tools = a_case(0).toolset
        connection.execute("INSERT INTO toolsets VALUES ('run-a', ?, ?)", (tools.content_hash, to_text(tools)))
        for number in range(ROWS):
            cell = ("run-a", "m", f"case-{number:05}", 0)
            row = a_row(number, outcome=Outcome.WRONG_TOOL if number % 4 == 0 else Outcome.CORRECT)
            verdicts = ("easy", "positive", None, row.outcome, row.confusion, None, None, None)
            marks = "?, ?, ?, ?"
            connection.execute(
                f"INSERT INTO attempts VALUES ({marks}, ?, ?)", (*cell, STAMP, to_text(an_attempt(number)))
            )
            graded = (*cell, *verdicts, to_text(row, defaults=False))
            connection.execute(f"INSERT INTO graded VALUES ({marks}, ?, ?, ?, ?, ?, ?, ?, ?, ?)", graded)
        connection.execute("INSERT INTO reports VALUES ('report-a', 'run-a', ?, '{\"title\": 1}')", (STAMP,))
    connection.close()


@pytest.mark.requirement("X9")
async def test_everything_that_was_stored_is_there_and_is_the_first_grading(place: Path) -> None:
    old_database(place, "0001")
    fill(place)
    async with Store.open(place) as store:
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
async def test_a_migrated_run_goes_on_with_variants_and_with_further_gradings(place: Path) -> None:
    old_database(place, "0001")
    fill(place)
    async with Store.open(place) as store:
        varied = an_attempt().model_copy(update={"variant": "v"}), a_row(variant="v")
        await store.attempts.append("run-a", *varied)
        (first,) = await store.gradings.all("run-a")
        await store.gradings.save("run-a", first.model_copy(update={"id": "grading-b"}))
        await store.attempts.grade_again("run-a", "grading-b", [varied[1]])
        assert len(list(await store.attempts.rows("run-a"))) == ROWS + 1
        assert list(await store.attempts.graded("run-a", "grading-b")) == [varied]


def test_a_migrated_database_has_the_tables_keys_and_indexes_of_a_new_one(place: Path, tmp_path: Path) -> None:
    old_database(place, "0001")
    fill(place)
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
