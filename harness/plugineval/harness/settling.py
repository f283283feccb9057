"""Ask a judge about the open values of a row, each question once per run, and grade again until nothing is open.

A settlement goes through the call journal under the question's own key, so that the same pair never gets two verdicts
and a resumed run pays for none twice; a judge's failure is not recorded, and a resumed run asks again.
"""

from collections.abc import Mapping, Sequence
from functools import partial

import anyio

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import NO_CHECKS, GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.questions import Judge, JudgeQuestion, Settlement
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.pccf.calling import in_order
from plugineval.pccf.ledger import CallKey, Ledger, recorded


class Settling:
    """The judge of one run, with every settlement so far."""

    def __init__(
        self, judge: Judge | None, ledger: Ledger, *, policy: GradingPolicy, checks: SemanticChecks = NO_CHECKS
    ) -> None:
        self._judge = judge
        self._ledger = ledger
        self._policy = policy
        self._checks = checks
        self._settled: dict[str, Settlement] = {}
        self._asking: dict[str, anyio.Lock] = {}

    async def grade(self, case: Case, attempt: Attempt) -> GradedRow:
        """The row of one attempt, with everything a judge could settle settled.

        An answer may change which call answers which and so raise a new question; every round settles at least one
        of finitely many, or is the last.
        """
        row = self._graded(case, attempt)
        while self._judge is not None and row.questions:
            known = len(self._settled)
            await self._ask(self._judge, row.questions)
            row = self._graded(case, attempt)
            if len(self._settled) == known and row.questions:
                break
        return row

    def _graded(self, case: Case, attempt: Attempt) -> GradedRow:
        return grade(case, attempt, policy=self._policy, settled=self._settled, checks=self._checks)

    async def _ask(self, judge: Judge, questions: Sequence[JudgeQuestion]) -> None:
        await in_order([partial(self._settle, judge, question) for question in questions])

    async def _settle(self, judge: Judge, question: JudgeQuestion) -> None:
        key = question.key
        async with self._asking.setdefault(key, anyio.Lock()):
            if key in self._settled:
                return
            call = CallKey(stage="judge", model=judge.id, case=key, request={"prompt": judge.prompt_hash})
            self._settled[key] = await recorded(
                self._ledger, call, Settlement, lambda: _answer(judge, question), keep=_is_a_verdict
            )


async def _answer(judge: Judge, question: JudgeQuestion) -> Settlement:
    answers: Mapping[str, Settlement] = await judge.settle((question,))
    missing = Settlement(verdict="failure", justification="the judge left it out", judge=judge.id)
    return answers.get(question.key, missing)


def _is_a_verdict(settlement: Settlement) -> bool:
    return settlement.verdict != "failure"
