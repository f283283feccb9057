"""Ask a judge about the open values of a row, and grade again until nothing is open.

The judge remembers what it said, in its journal too, so that the same pair never gets two verdicts. A person's own
check may keep its caller waiting: where there are checks, rows are graded in a worker thread, one at a time.
"""

import anyio

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import NO_CHECKS, GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.questions import Judge, JudgeQuestion, Settlement
from plugineval.harness.semantic_checks import SemanticChecks


class Settling:
    """Grading with a judge at hand, and every settlement of the run so far."""

    def __init__(self, judge: Judge | None, *, policy: GradingPolicy, checks: SemanticChecks = NO_CHECKS) -> None:
        self._judge = judge
        self._policy = policy
        self._checks = checks
        self._settled: dict[str, Settlement] = {}
        self._one_at_a_time = anyio.CapacityLimiter(1)

    async def grade(self, case: Case, attempt: Attempt) -> GradedRow:
        """The row of one attempt, with everything a judge could settle settled.

        An answer may change which call answers which and so raise a new question; there are finitely many, and every
        round settles all that are open.
        """
        row = await self._row(case, attempt)
        while self._judge is not None and row.questions:
            await self._ask(self._judge, row.questions)
            row = await self._row(case, attempt)
        return row

    async def _row(self, case: Case, attempt: Attempt) -> GradedRow:
        if not self._checks:
            return self._graded(case, attempt)
        return await anyio.to_thread.run_sync(self._graded, case, attempt, limiter=self._one_at_a_time)

    def _graded(self, case: Case, attempt: Attempt) -> GradedRow:
        return grade(case, attempt, policy=self._policy, settled=self._settled, checks=self._checks)

    async def _ask(self, judge: Judge, questions: tuple[JudgeQuestion, ...]) -> None:
        answers = await judge.settle(questions)
        missing = Settlement(verdict="failure", justification="the judge left it out", judge=judge.id)
        self._settled |= {question.key: answers.get(question.key, missing) for question in questions}
