"""What a case of a run costs this machine, against a bare loop over the openai SDK, in the same run.

Processor time of whole processes, with that of a small run taken off: start-up apart, everything counts that grows with
the cases: reading them, asking, grading, durable storage, the report.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.cli import MAIN, addition

pytestmark = pytest.mark.speed

CASES, FEW = 4000, 64
"""So many that a start which took a tenth of a second longer than another does not show."""
CONCURRENCY = 64
ROUNDS = 3
MOST = 0.5
"""Of what a call of the bare loop costs."""
TOOLS = 5
SERVER = """
import anyio
from doubles.cli import obedient
from doubles.openai_server import openai_server
async def main():
    async with openai_server(answer=obedient) as server:
        server.latency_s = 0.05
        print(server.base_url, flush=True)
        await anyio.sleep_forever()
anyio.run(main)
"""
BARE = """
import json, sys
import anyio
from openai import AsyncOpenAI
cases = [json.loads(line) for line in open(sys.argv[1])]
def offered(case):
    return [{"type": "function", "function": {"name": tool["name"].replace(".", "_"),
            "description": tool["description"], "parameters": tool["input_schema"]}} for tool in case["tools"]]
async def main():
    client, left = AsyncOpenAI(base_url=sys.argv[2], api_key="x", max_retries=0), iter(cases)
    async def work():
        for case in left:
            await client.chat.completions.create(model="m", tools=offered(case), temperature=0, seed=0,
                messages=[{"role": "user", "content": case["query"]}])
    async with anyio.create_task_group() as group:
        for _ in range(64):
            group.start_soon(work)
anyio.run(main)
"""


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def cases_of(folder: Path, number: int) -> Path:
    path = folder / f"{number}.jsonl"
    with path.open("w", encoding="utf-8") as out:
        for index in range(number):
            case = addition(f"c{index}", index)
            tools = case["tools"]
            assert isinstance(tools, list)
            others = [{**tool, "name": f"other_{n}"} for n, tool in enumerate(tools * 2) if isinstance(tool, dict)]
            out.write(json.dumps({**case, "tools": [*tools, *others][:TOOLS]}) + "\n")
    return path


def processor_s(*command: object) -> float:
    """Of the process, its own children apart, which have none."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", *map(str, command)], check=True, env=environment, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_case_costs_half_of_what_a_bare_loop_over_the_sdk_costs(tmp_path: Path, base_url: str) -> None:
    files = {number: cases_of(tmp_path, number) for number in (FEW, CASES)}
    least: dict[tuple[str, int], float] = {}
    for turn in range(ROUNDS):
        for number, file in files.items():
            options = ("--model", "openai:m", "--base-url", base_url, "--repeats", 1, "--concurrency", CONCURRENCY)
            home = tmp_path / f"home-{number}-{turn}"
            spent = {
                "ours": processor_s(MAIN, "evaluate", file, *options, "--home", home, "--json", "--no-preflight"),
                "bare": processor_s(BARE, file, base_url),
            }
            for who, seconds in spent.items():
                least[who, number] = min(least.get((who, number), seconds), seconds)
    ours, bare = (1000 * (least[who, CASES] - least[who, FEW]) / (CASES - FEW) for who in ("ours", "bare"))
    assert ours <= MOST * bare, f"{ours:.2f} ms a case, {bare:.2f} ms a bare call: {ours / bare:.2f}"
