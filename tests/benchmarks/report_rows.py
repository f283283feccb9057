"""A run of any number of graded rows, written with plain inserts: what its answers were does not matter to a report's
numbers, and making a million of them would take longer than measuring.
"""

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import anyio

from doubles.store import a_run
from plugineval.server.store import tables
from plugineval.server.store.store import Store

MODELS, REPEATS = 10, 5
RUN = "run-large"
COLUMNS = ("run_id", "grading", "model", "case_id", "repeat", "variant", *tables.VERDICTS[2:], "body")
_CHUNK = 20_000
_RIGHT = ("correct", "TP", None, None)
_WRONG = (
    ("valid_but_wrong", "FN", "parameter_error", "incorrect_value"),
    ("invalid_args", "FN", "parameter_error", "missing_argument"),
    ("wrong_tool", "FN", "miss_recall", None),
    ("no_call", "FN", "miss_recall", None),
)


def fill(path: Path, rows: int) -> None:
    """`rows` rows of one run, by ten models with five repeats, in a new database at `path`."""
    anyio.run(_begin, path)
    marks = ", ".join("?" for _ in COLUMNS)
    source = _rows(rows)
    with sqlite3.connect(path) as connection:
        while chunk := list(islice(source, _CHUNK)):
            connection.executemany(f"INSERT INTO graded ({', '.join(COLUMNS)}) VALUES ({marks})", chunk)
    connection.close()


async def _begin(path: Path) -> None:
    async with Store.open(path) as store:
        await store.runs.create(a_run(RUN), cases=[])


def _rows(number: int) -> Iterator[tuple[str | int | None, ...]]:
    random = Random(20260310)
    cases = number // (MODELS * REPEATS)
    for model in range(MODELS):
        for case in range(cases):
            difficulty = ("easy", "medium", "hard")[case % 3]
            # Some cases are right always, some never, some now and then.
            skill = random.choice((0.0, 0.5, 0.9, 1.0, 1.0))
            for repeat in range(REPEATS):
                outcome, *view = _RIGHT if random.random() < skill else random.choice(_WRONG)
                verdicts = (difficulty, "positive", "trigger", outcome, *view, None)
                body = f'{{"case_id":"case-{case:06}","model":"model-{model}","repeat":{repeat},"outcome":"{outcome}"}}'
                yield (RUN, "first", f"model-{model}", f"case-{case:06}", repeat, "", *verdicts, body)
