"""A database as an earlier version left it: made by that version's own scripts and filled as it filled it."""

import json
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from doubles.store import NOON, a_case, a_row, a_run, an_attempt, engine_of
from plugineval.harness.outcomes import Outcome
from plugineval.server.store import schema
from plugineval.server.store.bodies import to_text

ROWS = 40
STAMP = NOON.strftime("%Y-%m-%d %H:%M:%S.%f")


def old_database(where: str, revision: str) -> None:
    """The tables of `revision`, made as they were made then."""
    if "://" not in where:
        Path(where).parent.mkdir(parents=True, exist_ok=True)
    engine = engine_of(where)
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def fill(where: str) -> None:
    """Two runs, of which one has rows and a report, as revision 0001 kept them."""
    engine = engine_of(where)
    with engine.begin() as connection:
        for name in ("run-a", "run-b"):
            body = json.loads(to_text(a_run(name)))
            del body["config"]["meaning"], body["config"]["variants"], body["scope"]["gold_hash"]
            _insert(connection, "runs", name, None, "cases.jsonl", "completed", STAMP, STAMP, json.dumps(body))
        tools = a_case(0).toolset
        _insert(connection, "toolsets", "run-a", tools.content_hash, to_text(tools))
        for number in range(ROWS):
            cell = ("run-a", "m", f"case-{number:05}", 0)
            row = a_row(number, outcome=Outcome.WRONG_TOOL if number % 4 == 0 else Outcome.CORRECT)
            verdicts = ("easy", "positive", None, row.outcome, row.confusion, None, None, None)
            _insert(connection, "attempts", *cell, STAMP, to_text(an_attempt(number)))
            _insert(connection, "graded", *cell, *verdicts, to_text(row, defaults=False))
        _insert(connection, "reports", "report-a", "run-a", STAMP, '{"title": 1}')
    engine.dispose()


def _insert(connection: Connection, table: str, *values: object) -> None:
    named = {f"v{number}": value for number, value in enumerate(values)}
    marks = ", ".join(f":{name}" for name in named)
    connection.execute(text(f"INSERT INTO {table} VALUES ({marks})"), named)
