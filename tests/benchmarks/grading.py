"""How many decidable rows one core grades in a second, schemas checked, beside merely parsing the same rows.

Rows are graded as a run does it: cases and answers are there, tools come again. What remains of a wrong row is about a
quarter each the comparison of its arguments, the account of the broken schema rules, and the row with its reasons; no
single place is left that a third of the time is spent in. Judging a file also reads it: where every case brings tools
of its own, checking their schemas for the first time costs as much as grading does.
"""

import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from benchmarks.call_rows import Document, call_rows
from benchmarks.measured import Measured
from doubles.cli import MAIN
from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader
from plugineval.clients.formats.records import CaseRecord
from plugineval.harness.cases import Case
from plugineval.harness.grading import Answer, GradingPolicy, grade_reply
from plugineval.harness.outcomes import GradedRow
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.server.jobs.cases import case_of_record
from plugineval.server.jobs.collecting import rare_collections

CASES = 2000
ROUNDS = 5
BAR = 20_000
MANY_ROWS = 100_000
GROWTH_MB = 40
PEER = "the best known public checker grades 22,000 gold rows/s and checks no schema"


class Row(NamedTuple):
    """A case, and what was answered."""

    case: Case
    reply: Answer


def measure() -> list[Measured]:
    """Rows of our own, and public ones where they are present."""
    found = [
        *_graded("right to the letter", list(call_rows(CASES, right=True))),
        *_graded("three of five off", list(call_rows(CASES))),
    ]
    with tempfile.TemporaryDirectory() as folder:
        found += _judged(Path(folder))
    return found + _public()


def rows_of(documents: Iterable[Document]) -> list[Row]:
    """The rows as a run has them."""
    read = JudgeRowReader().read(json.dumps(document).encode() for document in documents)
    return [Row(case_of_record(row.case), row.reply) for row in read if isinstance(row, JudgeRow)]


def grade_all(rows: Sequence[Row]) -> list[GradedRow]:
    """Every row by rules alone."""
    policy = GradingPolicy()
    return [grade_reply(case, reply, policy=policy) for case, reply in rows]


def least_s(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of the quickest of several rounds, garbage collected as rarely as a run does it."""
    gc.collect()
    gc.freeze()
    found = float("inf")
    with rare_collections():
        for _ in range(rounds):
            started = time.process_time()
            work()
            found = min(found, time.process_time() - started)
    gc.unfreeze()
    return found


def parse_s(documents: Iterable[Document]) -> float:
    """Seconds that parsing the same rows with the standard library takes."""
    lines = [json.dumps(document) for document in documents]
    return least_s(lambda: [json.loads(line) for line in lines])


def _graded(kind: str, documents: list[Document]) -> list[Measured]:
    rows = rows_of(documents)
    undecided = sum(row.exclusion is not None for row in grade_all(rows))
    seconds = least_s(lambda: grade_all(rows))
    beside = f"{len(rows) / parse_s(documents):,.0f} rows/s are merely parsed; {undecided} undecided; {PEER}"
    return [Measured(f"graded, {kind}", len(rows) / seconds, "rows/s", BAR, beside, "higher")]


def _judged(folder: Path) -> list[Measured]:
    """The whole command, in a process of its own: reading, grading, writing; the start is taken off."""
    few, many = folder / "few.jsonl", folder / "many.jsonl"
    lines = [f"{json.dumps(row)}\n" for row in call_rows(CASES)]
    few.write_text("".join(lines))
    with many.open("w") as out:
        for _ in range(MANY_ROWS // len(lines)):
            out.writelines(lines)
    short, long = judged(few), judged(many)
    rate = (MANY_ROWS - len(lines)) / (long.processor_s - short.processor_s)
    grown = long.memory_mb - short.memory_mb
    beside = f"{MANY_ROWS:,} rows instead of {len(lines):,}, which take {short.memory_mb:.0f} MB"
    return [
        Measured("judge --file", rate, "rows/s", None, "reads, checks tools, grades, writes", "higher"),
        Measured("judge --file, memory for 10x the rows", grown, "MB", GROWTH_MB, beside),
    ]


_TELLING_PEAK = """
import atexit, sys
from benchmarks.peak import peak_mb
atexit.register(lambda: print("", peak_mb(), file=sys.stderr))
"""


class Process(NamedTuple):
    """What a process took."""

    processor_s: float
    memory_mb: float


def judged(file: Path) -> Process:
    """`plugineval judge` over a file."""
    command = ("judge", "--file", str(file), "--judge", "none", "--out", str(file.with_suffix(".verdicts")))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(Path(__file__).parents[1])
    home = ("--home", str(file.parent / "home"))
    with subprocess.Popen(
        [sys.executable, "-c", _TELLING_PEAK + MAIN, *command, *home], env=environment, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read().split()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return Process(used.ru_utime + used.ru_stime, float(said[-1]))


def _public() -> list[Measured]:
    """Gold as prediction, as checkers like to be measured; nothing where the public rows are not here."""
    from plugineval.clients.formats.public.reading import CaseFormat, CaseSource, read_source

    root = Path(os.environ.get("PLUGINEVAL_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data" / "bfcl"
    if not root.is_dir():
        return [Measured("graded, public rows", 0, "rows/s", None, f"SKIPPED: no such folder: {root.name}", "higher")]
    files = [root / f"BFCL_v4_{kind}.json" for kind in ("simple_python", "multiple", "parallel", "live_multiple")]
    read = chain.from_iterable(read_source(CaseSource(path=file, format=CaseFormat.BFCL)) for file in files)
    rows = [_gold_row(record) for record in read if isinstance(record, CaseRecord)]
    undecided = sum(row.exclusion is not None for row in grade_all(rows))
    rate = len(rows) / least_s(lambda: grade_all(rows))
    return [Measured("graded, public gold", rate, "rows/s", BAR, f"{len(rows)} rows, {undecided} undecided", "higher")]


def _gold_row(record: CaseRecord) -> Row:
    calls = tuple(EmittedCall(name=call.tool, arguments=call.arguments) for call in record.gold)
    return Row(case_of_record(record), RouterReply(calls=calls))
