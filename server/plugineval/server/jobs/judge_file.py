"""A file of rows graded line by line, stream in and stream out: one verdict a row, in order, however many rows.

Rows are taken in batches. What rules leave open in a batch is put to the judge together, bounded by its own limiter;
the judge never asks about one pair twice, and its journal carries its answers over a crash.
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

import anyio

from plugineval.clients.formats.judge_rows import JudgeRow
from plugineval.clients.formats.records import Remark
from plugineval.harness.grading import NO_CHECKS, GradingPolicy, grade_reply
from plugineval.harness.outcomes import ErrorCategory, Exclusion, GradedRow
from plugineval.harness.questions import Judge, Settlement
from plugineval.harness.row_grading import RowVerdict, verdict_of_row
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.pccf.values import Value
from plugineval.server.jobs.cases import case_of_record

_ASKING = GradingPolicy(meaning="ask")
_FIELDS = ("id", "verdict", "category", "subtype", "outcome", "outcome_strict", "rules", "reason")
BATCH = 256
"""Rows in memory at once, and so about the questions that a judge may be asked at the same time."""
_BATCH_OF_RULES = 32
"""Where nobody is asked, rows that are still warm in the processor's cache are written sooner."""


class RowGrading(NamedTuple):
    """How rows are graded. What meaning alone decides is a judge's affair, and without one it stays open."""

    judge: Judge | None = None
    policy: GradingPolicy = _ASKING
    checks: SemanticChecks = NO_CHECKS

    def grade(self, row: JudgeRow, settled: dict[str, Settlement]) -> GradedRow:
        """The graded row of one line."""
        case = case_of_record(row.case)
        return grade_reply(case, row.reply, policy=self.policy, settled=settled, checks=self.checks)


class GradedLine(NamedTuple):
    """The verdict of one line; `failed` where the line could not be graded, which is not the same as unsure."""

    verdict: RowVerdict
    failed: bool = False


class LineCounts(Value):
    """What came of a file, in counts."""

    rows: int = 0
    failed: int = 0
    """Lines that were refused, and rows that the judge or a check failed on."""
    verdicts: dict[str, int] = {}
    categories: dict[str, int] = {}
    exclusions: dict[str, int] = {}


class Counting:
    """The counts as they grow."""

    def __init__(self) -> None:
        self.failed = 0
        self._verdicts: Counter[str] = Counter({"correct": 0, "incorrect": 0, "unsure": 0})
        self._categories: Counter[str] = Counter()
        self._exclusions: Counter[str] = Counter()

    def add(self, line: GradedLine) -> None:
        """Count one line."""
        verdict = line.verdict
        self.failed += line.failed
        self._verdicts[verdict.verdict] += 1
        if verdict.category is not None:
            self._categories[verdict.category.value] += 1
        if verdict.exclusion is not None:
            self._exclusions[verdict.exclusion.value] += 1

    def counts(self) -> LineCounts:
        """The counts so far."""
        return LineCounts(
            rows=self._verdicts.total(),
            failed=self.failed,
            verdicts=dict(self._verdicts),
            categories=dict(self._categories),
            exclusions=dict(self._exclusions),
        )


def line_of(verdict: RowVerdict) -> str:
    """The verdict as one line of JSON, in ASCII, its line end included."""
    return f"{json.dumps({name: getattr(verdict, name) for name in _FIELDS})}\n"


async def graded_lines(rows: Iterable[JudgeRow | Remark], grading: RowGrading) -> AsyncGenerator[GradedLine]:
    """One verdict for each of `rows`, in their order; a refused line is `unsure` and says why."""
    source, size = iter(rows), BATCH if grading.judge else _BATCH_OF_RULES
    while batch := list(islice(source, size)):
        graded = iter(await _graded([found for found in batch if isinstance(found, JudgeRow)], grading))
        for found in batch:
            yield _refused(found) if isinstance(found, Remark) else line_of_row(next(graded))
        # A long file is stopped between two batches.
        await anyio.lowlevel.checkpoint()


async def _graded(batch: Sequence[JudgeRow], grading: RowGrading) -> list[GradedRow]:
    """The rows of a batch, with everything that the judge can settle settled. Its answers may raise new questions."""
    settled: dict[str, Settlement] = {}
    rows = await _in_turn(batch, grading, settled)
    while (judge := grading.judge) is not None and (still := [i for i, row in enumerate(rows) if row.questions]):
        questions = [question for index in still for question in rows[index].questions]
        answers = await judge.settle(questions)
        missing = Settlement(verdict="failure", justification="the judge left it out", judge=judge.id)
        settled |= {question.key: answers.get(question.key, missing) for question in questions}
        again = await _in_turn([batch[index] for index in still], grading, settled)
        for index, row in zip(still, again, strict=True):
            rows[index] = row
    return rows


async def _in_turn(batch: Sequence[JudgeRow], grading: RowGrading, settled: dict[str, Settlement]) -> list[GradedRow]:
    def work() -> list[GradedRow]:
        return [grading.grade(row, settled) for row in batch]

    # A person's check keeps its caller waiting.
    return await anyio.to_thread.run_sync(work) if grading.checks else work()


def line_of_row(row: GradedRow) -> GradedLine:
    """The verdict of one row; a failing judge or check is no verdict."""
    failed = row.category is ErrorCategory.JUDGE_FAILURE or row.exclusion is Exclusion.CHECK_FAILED
    return GradedLine(verdict_of_row(row), failed=failed)


def _refused(remark: Remark) -> GradedLine:
    row_id = str(remark.line) if remark.id is None else remark.id
    return GradedLine(RowVerdict(id=row_id, verdict="unsure", reason=f"refused: {remark.sentence}"), failed=True)
