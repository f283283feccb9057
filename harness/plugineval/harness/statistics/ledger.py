"""Collects rows into whole cases: a case is folded into its pattern when its last row has come."""

from collections import Counter
from collections.abc import Sequence
from heapq import nsmallest

from plugineval.harness.outcomes import GradedRow
from plugineval.harness.statistics.case_results import Arm, CaseResult, CaseResults, Mark, mark_of
from plugineval.pccf.examples import Difficulty


class CaseLedger:
    """Takes the rows of `arms`, each once, in any order; rows of other arms are ignored."""

    def __init__(self, arms: Sequence[Arm], *, repeats: int, listed: int = 20) -> None:
        self._arms = {arm: index for index, arm in enumerate(arms)}
        self._repeats = repeats
        self._listed = listed
        self._open: dict[str, _OpenCase] = {}
        self._patterns: Counter[CaseResult] = Counter()
        self._flaky: dict[int, list[str]] = {}

    def add(self, row: GradedRow, *, tools: tuple[str, ...] = ()) -> None:
        """Take one row of a case about `tools`."""
        index = self._arms.get(Arm(row.model, row.variant))
        if index is None:
            return
        case = self._open.get(row.case_id)
        if case is None:
            case = self._open[row.case_id] = _OpenCase(tools, row.difficulty, len(self._arms), self._repeats)
        case.put(index, row.repeat, mark_of(row))
        if case.missing == 0:
            self._fold(row.case_id, case, self._patterns)
            del self._open[row.case_id]

    @property
    def pending(self) -> int:
        """Cases still waiting for a row."""
        return len(self._open)

    def results(self) -> CaseResults:
        """The cases so far; what has not come counts as no verdict."""
        patterns = Counter(self._patterns)
        for name, case in self._open.items():
            self._fold(name, case, patterns)
        return CaseResults(tuple(self._arms), self._repeats, patterns)

    def flaky(self, arm: Arm) -> tuple[str, ...]:
        """The first ids of cases that an arm got right in some repeats and wrong in others."""
        return tuple(sorted(self._flaky.get(self._arms[arm], ())))

    def _fold(self, name: str, case: "_OpenCase", patterns: Counter[CaseResult]) -> None:
        result = case.result()
        patterns[result] += 1
        for index in range(len(self._arms)):
            if len({mark.right for mark in result.of(index)}) > 1:
                known = {*self._flaky.get(index, ()), name}
                self._flaky[index] = nsmallest(self._listed, known)


class _OpenCase:
    """A case of which rows are still to come."""

    def __init__(self, tools: tuple[str, ...], difficulty: Difficulty | None, arms: int, repeats: int) -> None:
        self._tools = tools
        self._difficulty = difficulty
        self._marks: list[list[Mark | None]] = [[None] * repeats for _ in range(arms)]
        self._came: set[tuple[int, int]] = set()
        self.missing = arms * repeats

    def put(self, arm: int, repeat: int, mark: Mark | None) -> None:
        marks = self._marks[arm]
        # A row beyond the announced repeats is kept all the same: it was measured.
        marks.extend([None] * (repeat + 1 - len(marks)))
        marks[repeat] = mark
        if (arm, repeat) not in self._came:
            self._came.add((arm, repeat))
            self.missing -= 1

    def result(self) -> CaseResult:
        longest = max(map(len, self._marks), default=0)
        marks = tuple(tuple(row + [None] * (longest - len(row))) for row in self._marks)
        return CaseResult(self._tools, self._difficulty, marks)
