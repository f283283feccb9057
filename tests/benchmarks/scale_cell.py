"""What one cell of a real run weighs in the database and on the wire: of a benchmark that is built on a real server.

Bytes of a row are its texts plus what the database adds to each row of its table, indexes included.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import mean
from typing import NamedTuple, cast

from sqlalchemy import Engine, create_engine, text

from doubles.mcp_client import Agent, Home, in_memory
from doubles.openai_server import Document, OpenAIServer, Reply, document, openai_server
from doubles.postgres import Postgres
from plugineval.pccf.values import Json

MODELS = ("first", "second")
SIZE, REPEATS = 24, 5
TABLES = ("calls", "attempts", "graded")
"""Those that grow with cells."""
_TEXTS = {
    "calls": "scope, key, stage, model, case_id, answer",
    "attempts": "run_id, model, case_id, variant, body",
    "graded": "run_id, grading, model, case_id, variant, difficulty, sample_type, scenario_kind, outcome, confusion, "
    "category, subtype, exclusion, body",
}


class Weighed(NamedTuple):
    """Bytes a cell in each table with its indexes; characters of a request, of the tools in it, and of an answer."""

    plugin: str
    tables: dict[str, float]
    request: float
    listed: float
    answer: float


def answered(request: Document) -> Reply:
    """A call of the first tool, in a document as long as providers send."""
    tools = cast("list[dict[str, dict[str, Json]]]", request["tools"])
    function = tools[0]["function"]
    schema = cast("dict[str, dict[str, Json]]", function["parameters"])
    arguments = dict.fromkeys(schema.get("properties", {}), "a value of a usual length")
    called = {"name": function["name"], "arguments": json.dumps(arguments)}
    return document(
        {
            "id": "chatcmpl-Bq2v7sXh0T1mUe5dKf9aRzYwLc3N8",
            "object": "chat.completion",
            "created": 1780000000,
            "model": "some-model-2026-08-06",
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [{"id": "call_Vn8Kq2LmZx4TdRw7yPb1Hs6J", "type": "function", "function": called}],
                        "refusal": None,
                        "annotations": [],
                    },
                    "logprobs": None,
                    "finish_reason": "tool_calls",
                }
            ],
            "usage": {
                "prompt_tokens": 1234,
                "completion_tokens": 23,
                "total_tokens": 1257,
                "prompt_tokens_details": {"cached_tokens": 1024, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
            },
            "service_tier": "default",
            "system_fingerprint": "fp_5b3a9c7e21",
        }
    )


async def weighed(plugin: str, command: str, database: str | None) -> Weighed:
    """Build on the server that `command` starts, measure, and weigh; in SQLite where there is no URL."""
    with tempfile.TemporaryDirectory() as folder:
        async with openai_server(answer=answered) as server:
            path = Path(folder)
            home = Home.at(path / "home", _settings(plugin, command, server, database))
            await _measured(home, plugin)
            engine = create_engine(database or f"sqlite:///{home.path / 'plugineval.db'}")
            tables = {name: _bytes_of_a_row(engine, name) for name in TABLES}
            answer = _scalar(engine, "select avg(length(answer)) from calls")
            engine.dispose()
            request = mean(map(_length, server.requests))
            listed = mean(_length(each["tools"]) for each in server.requests)
            return Weighed(plugin, tables, request, listed, answer)


def _length(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def _settings(plugin: str, command: str, server: OpenAIServer, database: str | None) -> str:
    found = shutil.which(command, path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert found is not None, f"{command} is not installed"
    models = [f'[models.{name}]\nbase_url = "{server.base_url}"\nmodel = "some-model"' for name in MODELS]
    store = [f'[store]\nurl = "{database}"'] if database else []
    return "\n".join([f'[plugins.{plugin}]\ncommand = "{found}"\npolicy = "sandboxed"', *models, *store, ""])


async def _measured(home: Home, plugin: str) -> None:
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        job = await agent.call("benchmark_build", plugins=[plugin], name="weighed", size=SIZE, wait_s=45)
        while job["state"] == "running":
            job = await agent.call("job_get", job_id=job["job_id"], wait_s=45)
        benchmark = cast("dict[str, Json]", job["result"])["benchmark_id"]
        wish = {"benchmark_id": benchmark, "models": [*MODELS], "repeats": REPEATS}
        job = await agent.call("evaluation_run", **wish, wait_s=45)
        while job["state"] == "running":
            job = await agent.call("job_get", job_id=job["job_id"], wait_s=45)
        assert job["state"] == "completed", job


def _bytes_of_a_row(engine: Engine, table: str) -> float:
    """What the table and its indexes hold beyond the texts, spread over all rows, and the texts of the models' rows."""
    length = " + ".join(f"coalesce(length({name}), 0)" for name in _TEXTS[table].split(", "))
    if engine.dialect.name == "sqlite":
        held = _scalar(
            engine,
            f"select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = '{table}')",
        )
    else:
        held = _scalar(engine, f"select pg_total_relation_size('{table}')")
    rows, texts = (
        _scalar(engine, f"select count(*) from {table}"),
        _scalar(engine, f"select sum({length}) from {table}"),
    )
    listed = ", ".join(f"'{name}'" for name in MODELS)
    return (held - texts) / rows + _scalar(engine, f"select avg({length}) from {table} where model in ({listed})")


def _scalar(engine: Engine, query: str) -> float:
    with engine.connect() as connection:
        return float(connection.execute(text(query)).scalar_one())


async def all_weighed() -> dict[str, list[Weighed]]:
    """Two real servers, on SQLite and on a PostgreSQL server of its own."""
    plugins = {"time": "mcp-server-time", "math": "mcp-mathematics"}
    found = {"SQLite": [await weighed(plugin, command, None) for plugin, command in plugins.items()]}
    with Postgres.running() as server:
        found["PostgreSQL"] = [await weighed(plugin, command, server.create()) for plugin, command in plugins.items()]
    return found
