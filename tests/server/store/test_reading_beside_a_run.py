"""Whoever looks at a large run again and again does not read all of it each time."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import Engine, event

from doubles.store import NOON, a_case, a_row, a_run, an_attempt
from plugineval.pccf.errors import IncompleteError
from plugineval.server.jobs.evaluate_report import keep_report
from plugineval.server.jobs.reading import expiry_now, read_report
from plugineval.server.store import Store

pytestmark = [pytest.mark.anyio]


@pytest.fixture
def asked() -> Iterator[list[str]]:
    """The queries of all databases, as they are asked."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield found
    event.remove(Engine, "before_cursor_execute", note)


async def begun(store: Store, name: str, *, minutes: int = 0) -> None:
    await store.runs.create(a_run(name, minutes=minutes), cases=[a_case(0)])
    await store.attempts.append(name, an_attempt(), a_row())


async def test_the_report_of_a_run_that_goes_on_is_asked_for_without_counting_its_rows(
    store: Store, asked: list[str]
) -> None:
    await begun(store, "run-a")
    asked.clear()
    with pytest.raises(IncompleteError, match="run-a is running and has no report yet"):
        await read_report(store, "run-a")
    assert len(asked) > 2
    assert not [query for query in asked if "graded" in query]


async def test_a_report_is_read_without_counting_the_rows_of_any_run(store: Store, asked: list[str]) -> None:
    await begun(store, "run-a")
    info, cases = await store.runs.get("run-a"), await store.runs.packed_cases("run-a")
    await keep_report(store, info, cases, await store.gradings.get("run-a"))
    await begun(store, "run-b", minutes=1)
    asked.clear()
    report = await read_report(store, "run-a")
    await expiry_now(store, report, NOON + timedelta(days=1))
    assert [query for query in asked if "attempts" in query]
    assert not [query for query in asked if "graded" in query]


async def test_an_entry_of_a_run_says_what_its_summary_says_but_for_the_rows(store: Store) -> None:
    for minutes, name in enumerate(("run-a", "run-b", "run-c")):
        await begun(store, name, minutes=minutes)
    summary = await store.runs.summary("run-a")
    assert summary.rows == 1
    assert (await store.runs.entry("run-a")).model_dump() == summary.model_dump(exclude={"rows"})
    newest = await store.runs.entries(limit=2)
    assert [entry.id for entry in newest] == [run.id for run in (await store.runs.page(limit=2)).items]
