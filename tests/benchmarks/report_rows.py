"""A run of any number of rows, written past the store: making a million answers would take longer than measuring.

Ten models with five repeats answer cases about five tools, right, in four ways wrong, or not at all. Each way is graded
once for a handful of cases, and told of all others by putting their numbers into its text.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from random import Random

import anyio
import psycopg
from sqlalchemy import make_url

from doubles.store import NOON, a_run
from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.run import RunConfig
from plugineval.pccf.examples import Difficulty, Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind, RouterReply
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json
from plugineval.server.store.attempts import AttemptColumns, columns_of
from plugineval.server.store.store import Store

MODELS, REPEATS = 10, 5
RUN = "run-large"
KINDS = ("right", "value", "missing", "tool", "none", "down")
_CHUNK = 20_000
_SHAPES = 60
"""Cases that are told apart: by tool, difficulty, sample type and optional argument."""
_SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}, "note": {"type": "string"}},
    "required": ["a", "b"],
}
TOOLS = Toolset(
    tools=tuple(ToolSpec(plugin="p", name=f"add_{n}", description="Adds.", input_schema=_SCHEMA) for n in range(5))
)


def fill(where: str | Path, rows: int) -> None:
    """`rows` rows of one run, in a new database at a path or a URL of PostgreSQL, which then knows what it holds."""
    cases = [_case(number) for number in range(rows // (MODELS * REPEATS))]
    anyio.run(_begin, where, cases)
    source = _rows(cases)
    if "://" in str(where):
        _copied(str(where), source)
        return
    with sqlite3.connect(where) as connection:
        while chunk := list(islice(source, _CHUNK)):
            for table, columns in (("attempts", [a for a, _ in chunk]), ("graded", [g for _, g in chunk])):
                named = ", ".join(columns[0])
                marks = ", ".join(f":{name}" for name in columns[0])
                connection.executemany(f"INSERT INTO {table} ({named}) VALUES ({marks})", columns)
            connection.commit()
    connection.close()


def _copied(url: str, source: Iterator[AttemptColumns]) -> None:
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        while chunk := list(islice(source, _CHUNK)):
            for table, columns in (("attempts", [a for a, _ in chunk]), ("graded", [g for _, g in chunk])):
                command = f"COPY {table} ({', '.join(columns[0])}) FROM STDIN"
                with connection.cursor() as cursor, cursor.copy(command.encode()) as copy:
                    for row in columns:
                        copy.write_row([*row.values()])
        # What the server does by itself within a minute.
        for table in ("attempts", "graded"):
            connection.execute(f"VACUUM ANALYZE {table}".encode())


async def _begin(where: str | Path, cases: Iterable[Case]) -> None:
    models = tuple(f"model-{number}" for number in range(MODELS))
    run = a_run(RUN).model_copy(update={"config": RunConfig(models=models, repeats=REPEATS)})
    async with Store.open(where) as store:
        await store.runs.create(run, cases=cases)


def _rows(cases: list[Case]) -> Iterator[AttemptColumns]:
    random = Random(20260310)
    known: dict[tuple[str, int], _Shape] = {}
    for model in range(MODELS):
        for number, case in enumerate(cases):
            # Some cases are right always, some never, some now and then.
            skill = random.choice((0.0, 0.5, 0.9, 1.0, 1.0))
            for repeat in range(REPEATS):
                kind = "right" if random.random() < skill else random.choice(KINDS[1:])
                shape = known.get((kind, number % _SHAPES))
                if shape is None:
                    shape = known[kind, number % _SHAPES] = _Shape(case, number, kind)
                yield shape.of(number, f"model-{model}", repeat)


class _Shape:
    """The columns of one answer, with which those of all answers of its kind are made."""

    def __init__(self, case: Case, number: int, kind: str) -> None:
        self._number, self._kind = number, kind
        attempt = Attempt(
            case_id=case.id, model="MODEL", repeat=9, reply=_reply(case, kind), toolset_hash=TOOLS.content_hash, at=NOON
        )
        self._columns = columns_of(RUN, attempt, grade(case, attempt, policy=GradingPolicy()))

    def of(self, number: int, model: str, repeat: int) -> AttemptColumns:
        cell: dict[str, str | int] = {"case_id": _named(number), "model": model, "repeat": repeat}
        answered, graded = ({**row, **cell, "body": self._body(row, cell)} for row in self._columns)
        at = NOON.strftime("%Y-%m-%d %H:%M:%S.%f")
        served = "" if self._kind == "down" else f"{model}-2026-01"
        return {**answered, "at": at, "served": served}, graded

    def _body(self, row: Mapping[str, object], cell: Mapping[str, str | int]) -> str:
        text = str(row["body"]).replace(_named(self._number), str(cell["case_id"])).replace("MODEL", str(cell["model"]))
        return text.replace('"repeat":9', f'"repeat":{cell["repeat"]}')


def _named(number: int) -> str:
    return f"case-{number:06}"


def _case(number: int) -> Case:
    negative, tool = number % 6 == 5, f"add_{number % 5}"
    arguments: Arguments = {"a": 7, "b": 1, **({"note": "x"} if number % 4 == 0 else {})}
    return Case(
        id=_named(number),
        query=Query.of_text(f"What is 7 plus 1? It is question {number}, note x."),
        toolset=TOOLS,
        gold=() if negative else (GoldCall(tool=tool, arguments=arguments),),
        sample_type=SampleType.TARGETED_NEGATIVE if negative else SampleType.POSITIVE,
        target_tool=tool if negative else None,
        difficulty=list(Difficulty)[number % 3],
    )


def _reply(case: Case, kind: str) -> RouterReply:
    if kind == "down":
        return RouterReply(failure=Failure(kind=FailureKind.TIMEOUT, detail="30 s"))
    wanted = case.gold[0] if case.gold else GoldCall(tool="add_0", arguments={"a": 7, "b": 1})
    arguments: dict[str, Arguments] = {"value": {**wanted.arguments, "b": 2}, "missing": {"a": 7}}
    changed = arguments.get(kind, wanted.arguments)
    usage: dict[str, Json] = {"prompt_tokens": 217, "completion_tokens": 23}
    silent = kind == "none" or (kind == "right" and not case.gold)
    name = wanted.tool if kind != "tool" else next(t.name for t in TOOLS.tools if t.name != wanted.tool)
    call = EmittedCall(name=name, arguments=changed, raw_arguments=json.dumps(changed))
    function: dict[str, Json] = {"name": name, "arguments": json.dumps(changed)}
    message: dict[str, Json] = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": function}]}
    return RouterReply(
        calls=() if silent else (call,),
        usage=usage,
        spent=Spent(calls=1, input_tokens=217, output_tokens=23, cost=0.00012),
        raw={"id": "chatcmpl-1", "model": "MODEL", "message": message},
    )
