"""What the database counts is what a person who looks at every row counts."""

from collections import Counter, defaultdict
from random import Random

import anyio
import pytest
from sqlalchemy import text

from doubles.postgres import Postgres
from doubles.store import a_row, a_run, an_attempt, engine_of
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome
from plugineval.pccf.examples import Difficulty
from plugineval.server.store import Store

pytestmark = [pytest.mark.anyio]
RIGHT = {Confusion.TP, Confusion.TN}


@pytest.fixture
async def rows(store: Store) -> list[GradedRow]:
    """Twelve cases, up to four repeats each, under two descriptions, of every kind and in a random order."""
    random = Random(7)
    cells = [(number, repeat, variant) for number in range(12) for repeat in range(4) for variant in ("", "clear")]
    found = [_row(random, *cell) for cell in random.sample(cells, 80)]
    await store.runs.create(a_run(), cases=(), source="cases.jsonl")
    async with anyio.create_task_group() as group:
        for row in found:
            attempt = an_attempt(int(row.case_id[-5:]), repeat=row.repeat).model_copy(update={"variant": row.variant})
            group.start_soon(store.attempts.append, "run-a", attempt, row)
    return found


def _row(random: Random, number: int, repeat: int, variant: str) -> GradedRow:
    verdicts: dict[str, object] = random.choice(
        [
            {"outcome": Outcome.CORRECT, "confusion": Confusion.TP},
            {"outcome": Outcome.CORRECT, "confusion": Confusion.TN},
            {"outcome": Outcome.NO_CALL, "confusion": Confusion.FN, "category": ErrorCategory.MISS_RECALL},
            {"outcome": None, "confusion": None, "exclusion": Exclusion.TIMEOUT},
        ]
    )
    level = [Difficulty.EASY, Difficulty.HARD, None][number % 3]
    row = a_row(number, repeat=repeat, variant=variant)
    return row.model_copy(update={"difficulty": level, "category": None, **verdicts})


@pytest.mark.requirement("B7")
async def test_cases_are_counted_by_how_many_of_their_repeats_are_right(store: Store, rows: list[GradedRow]) -> None:
    by_case: dict[tuple[str, str, Difficulty | None, str], list[GradedRow]] = defaultdict(list)
    for row in rows:
        by_case[row.model, row.variant, row.difficulty, row.case_id].append(row)
    wanted = Counter(
        (*key[:3], sum(row.confusion is not None for row in each), sum(row.confusion in RIGHT for row in each))
        for key, each in by_case.items()
    )
    found = await store.attempts.cases("run-a")
    assert {(c.model, c.variant, c.difficulty, c.verdicts, c.right): c.cases for c in found} == wanted
    assert len(wanted) > 8


async def test_rows_are_counted_by_all_of_their_verdicts(store: Store, rows: list[GradedRow]) -> None:
    wanted = Counter((row.variant, row.difficulty, row.outcome, row.confusion, row.exclusion) for row in rows)
    found: Counter[tuple[object, ...]] = Counter()
    for count in await store.attempts.outcomes("run-a"):
        found[count.variant, count.difficulty, count.outcome, count.confusion, count.exclusion] += count.rows
    assert found == wanted


async def test_rows_that_are_not_correct_are_read_alone(store: Store, rows: list[GradedRow]) -> None:
    wrong = [row for row in rows if row.outcome is not Outcome.CORRECT]
    found = [row async for row in await store.attempts.rows("run-a", correct=False)]
    assert sorted(row.model_dump_json() for row in found) == sorted(row.model_dump_json() for row in wrong)


async def test_a_server_is_to_look_soon_at_rows_that_are_new(postgres: Postgres) -> None:
    where = postgres.create()
    async with Store.open(where):
        engine = engine_of(where)
        with engine.connect() as connection:
            found = connection.execute(text("SELECT reloptions FROM pg_class WHERE relname = 'graded'")).scalar()
        engine.dispose()
    assert found == ["autovacuum_vacuum_insert_scale_factor=0.02"]
