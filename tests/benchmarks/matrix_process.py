"""One process that is measured: `python -m benchmarks.matrix_process WHO JSON`, which prints JSON.

Everything is done once on a few cases first, so that what is loaded on first use is not counted as the cost of a case.
`ours` is the whole command line (reading the file, the run, durable rows, the report); `aiohttp` and `openai` are bare
loops that ask the same and keep nothing.
"""

import json
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec
from unittest.mock import patch

import anyio

from benchmarks.peak import peak_mb

if TYPE_CHECKING:
    from plugineval.harness.matrix import MatrixSummary

P = ParamSpec("P")


class Task(NamedTuple):
    """What one process does."""

    base_url: str
    few: str
    many: str
    """Files of cases."""
    home: str
    """A home of its own, whose settings may name a database."""
    concurrency: int
    repeats: int = 1


class Asked(NamedTuple):
    """From the first question to the last row."""

    wall_s: float
    processor_s: float


class Spent(NamedTuple):
    """What the few and the many cost, and the largest the process ever was."""

    few_s: float
    """Processor time of the second run on the few."""
    many_s: float
    wall_s: float
    """From the first question of the many to the last row."""
    asking_s: float
    """Processor time of the same; that of the endpoint is not ours."""
    command_s: float
    """Wall of everything that was done about the many."""
    peak_mb: float


def main() -> None:
    """Run the task and print what it took."""
    task = Task(**json.loads(sys.argv[2]))
    run = {"ours": _ours, "aiohttp": _aiohttp, "openai": _openai}[sys.argv[1]]
    run(task, task.few, 1)
    few_s, _, _ = _timed(run, task, task.few, 1)
    many_s, command_s, asked = _timed(run, task, task.many, task.repeats)
    sys.stdout.write(json.dumps(Spent(few_s, many_s, asked.wall_s, asked.processor_s, command_s, peak_mb())._asdict()))


def _timed(run: Callable[[Task, str, int], Asked], task: Task, file: str, repeats: int) -> tuple[float, float, Asked]:
    processor, wall = time.process_time(), time.perf_counter()
    asked = run(task, file, repeats)
    return time.process_time() - processor, time.perf_counter() - wall, asked


def _ours(task: Task, file: str, repeats: int) -> Asked:
    from doubles.cli import plugineval
    from plugineval.harness.matrix import run_matrix

    took: list[Asked] = []
    options = ["--model", "openai:m", "--base-url", task.base_url, "--repeats", repeats, "--home", task.home]
    with patch("plugineval.server.jobs.evaluate.run_matrix", _noting(run_matrix, took)):
        called = plugineval("evaluate", file, *options, "--concurrency", task.concurrency, "--json", "--no-preflight")
    assert called.code == 0, called.err
    cases, right = sum(1 for _ in _cases(file)), called.printed["models"][0]["outcomes"]["correct"]
    assert called.printed["rows"] == cases * repeats
    assert right == repeats * sum(1 for number in range(cases) if number % 8), "graded as it should not be"
    return took[0]


def _noting(run: "Callable[P, Awaitable[MatrixSummary]]", took: list[Asked]) -> "Callable[P, Awaitable[MatrixSummary]]":
    async def noted(*given: P.args, **named: P.kwargs) -> "MatrixSummary":
        began = time.process_time()
        summary = await run(*given, **named)
        took.append(Asked(summary.seconds, time.process_time() - began))
        return summary

    return noted


def _aiohttp(task: Task, file: str, repeats: int) -> Asked:
    async def everything() -> Asked:
        import aiohttp

        encoded: dict[str, bytes] = {}
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def ask(case: dict[str, Any]) -> None:
                key = str(len(case["tools"]))
                tools = encoded.get(key) or encoded.setdefault(key, json.dumps(_offered(case)).encode())
                messages = json.dumps([{"role": "user", "content": case["query"]}]).encode()
                body = b'{"model":"m","temperature":0,"seed":0,"messages":%b,"tools":%b}' % (messages, tools)
                headers = {"content-type": "application/json", "authorization": "Bearer x"}
                async with session.post(f"{task.base_url}/chat/completions", data=body, headers=headers) as answer:
                    assert json.loads(await answer.read())["choices"]

            return await _all(ask, file, repeats, task.concurrency)

    return anyio.run(everything, backend_options={"use_uvloop": sys.platform != "win32"})


def _openai(task: Task, file: str, repeats: int) -> Asked:
    async def everything() -> Asked:
        from openai import AsyncOpenAI

        async with AsyncOpenAI(base_url=task.base_url, api_key="x", max_retries=0) as client:

            async def ask(case: dict[str, Any]) -> None:
                messages: Any = [{"role": "user", "content": case["query"]}]
                tools: Any = _offered(case)
                answer = await client.chat.completions.create(
                    model="m", tools=tools, temperature=0, seed=0, messages=messages
                )
                assert answer.choices

            return await _all(ask, file, repeats, task.concurrency)

    return anyio.run(everything)


async def _all(ask: Callable[[dict[str, Any]], Awaitable[None]], file: str, repeats: int, concurrency: int) -> Asked:
    left = (case for case in _cases(file) for _ in range(repeats))

    async def work() -> None:
        for case in left:
            await ask(case)

    started, began = time.perf_counter(), time.process_time()
    async with anyio.create_task_group() as group:
        for _ in range(concurrency):
            group.start_soon(work)
    return Asked(time.perf_counter() - started, time.process_time() - began)


def _cases(file: str) -> Iterator[dict[str, Any]]:
    with Path(file).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _offered(case: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": tool["name"],
                "description": tool["description"],
                "parameters": tool["input_schema"],
            },
        }
        for tool in case["tools"]
    ]


if __name__ == "__main__":
    main()
