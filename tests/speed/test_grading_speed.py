"""How fast a file of rows is judged, against merely parsing it in the same run; and that its size costs no memory."""

import json
import resource
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import anyio
import pytest

from doubles.openai_server import Document
from plugineval.pccf.values import Json
from plugineval.server.cli.judge import JudgeOptions, judge_file

pytestmark = pytest.mark.speed

ROWS = 20_000
CASES = 400
MOST_PARSES = 20
"""Times that a row may cost what reading it with the standard library costs; about 13 when it was written."""
MOST_GROWTH_MB = 40
WORDS = (
    "oslo",
    "rome",
    "paris",
    "tea",
    "coffee",
    "report",
    "invoice",
    "weekly",
    "red",
    "green",
    "fast",
    "slow",
    "north",
)


def rows() -> Iterator[Document]:
    """Rows as public function-calling sets have them: half right to the letter, half off in one argument."""
    random = Random(20260310)
    cases = [_case(random, number) for number in range(CASES)]
    for number in range(ROWS):
        case, right = cases[number % CASES]
        arguments = dict(right)
        if number % 2:
            name = random.choice([*arguments])
            arguments[name] = random.choice([f"{arguments[name]} ", "", 7, [arguments[name]], "something else"])
        predicted: Json = [{"name": f"tool_{number % CASES}", "arguments": arguments}]
        yield {**case, "id": str(number), "predicted": predicted}


def _case(random: Random, number: int) -> tuple[Document, Document]:
    """The case, and right arguments."""
    names = [f"{random.choice(WORDS)}_{index}" for index in range(4)]
    properties: Document = {name: {"type": "string", "description": _text(random, 12)} for name in names}
    schema: Document = {"type": "object", "properties": properties, "required": list[Json](names[:2])}
    offered = [f"{kind}_{number}" for kind in ("tool", "other", "third")]
    tools: Json = [{"name": name, "description": "Does it.", "input_schema": schema} for name in offered]
    right: Document = {name: _text(random, 2) for name in names}
    accepted: Document = {name: {"accepted": [value, _text(random, 2)]} for name, value in right.items()}
    gold: Json = [{"name": offered[0], "arguments": accepted}]
    return {"query": _text(random, 30), "sample_type": "positive", "tools": tools, "gold": gold}, right


def _text(random: Random, words: int) -> str:
    return " ".join(random.choices(WORDS, k=words))


def judged(path: Path) -> float:
    """Seconds of processor time."""
    started = time.process_time()
    anyio.run(judge_file, JudgeOptions(file=str(path), out=str(path.with_suffix(".verdicts"))))
    return time.process_time() - started


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl"
    with path.open("w", encoding="utf-8") as out:
        out.writelines(f"{json.dumps(row)}\n" for row in rows())
    return path


@pytest.mark.requirement("P59")
def test_judging_a_row_costs_a_few_times_what_parsing_it_costs(file: Path) -> None:
    judged(file)
    fastest = min(judged(file) for _ in range(3))
    started = time.process_time()
    with file.open("rb") as lines:
        parsed = sum(1 for line in lines if json.loads(line))
    parsing = time.process_time() - started
    assert parsed == ROWS
    assert fastest <= MOST_PARSES * parsing, f"{ROWS / fastest:.0f} rows/s; parsing alone {ROWS / parsing:.0f} rows/s"


def test_memory_is_flat_over_any_number_of_rows(file: Path) -> None:
    judged(file)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    longer = file.with_name("longer.jsonl")
    with longer.open("wb") as out:
        for _ in range(4):
            with file.open("rb") as once:
                shutil.copyfileobj(once, out)
    judged(longer)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert grown <= MOST_GROWTH_MB, f"{grown:.0f} MB more for four times the rows"
