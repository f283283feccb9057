"""All verdicts of one case, over models, variants and repeats, as one pattern; cases of one pattern count together.

Whatever is said about pairs of models or about repeats needs whole cases, not rows. There are few patterns, so memory
stays flat where rows come case by case, and is a few bytes a cell where they do not.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from plugineval.harness.outcomes import Confusion, ErrorCategory, GradedRow, Outcome, ParameterSubtype
from plugineval.pccf.examples import Difficulty


class Arm(NamedTuple):
    """What is compared: a model with the published descriptions (`variant` empty), or with a variant of them (X7)."""

    model: str
    variant: str = ""


class Mark(NamedTuple):
    """The verdict of one attempt in both views."""

    confusion: Confusion
    outcome: Outcome | None
    category: ErrorCategory | None
    subtype: ParameterSubtype | None

    @property
    def right(self) -> bool:
        """TP or TN."""
        return self.confusion is Confusion.TP or self.confusion is Confusion.TN

    @property
    def positive(self) -> bool:
        """Counted among the positives: TP or FN."""
        return self.confusion is Confusion.TP or self.confusion is Confusion.FN


class CaseResult(NamedTuple):
    """One case: the tools it is about, and per arm and repeat its mark; None where there is no verdict."""

    tools: tuple[str, ...]
    difficulty: Difficulty | None
    marks: tuple[tuple[Mark | None, ...], ...]

    def of(self, index: int) -> Iterator[Mark]:
        """The verdicts of one arm."""
        return (mark for mark in self.marks[index] if mark is not None)

    @property
    def positive(self) -> bool:
        """Whether it is counted among the positives."""
        return any(mark.positive for marks in self.marks for mark in marks if mark is not None)


Marginal: TypeAlias = Mapping[tuple[Mark | None, ...], int]


class CaseResults:
    """Patterns with the number of cases that show them, for the arms in `arms`."""

    def __init__(self, arms: Sequence[Arm], repeats: int, patterns: Mapping[CaseResult, int]) -> None:
        self.arms = tuple(arms)
        self.repeats = repeats
        self.patterns = patterns
        self._marginals: dict[int, Marginal] = {}

    def marginal(self, index: int) -> "Marginal":
        """The marks of one arm alone, by repeat -> cases: a few hundred at most, whatever the number of patterns."""
        if index not in self._marginals:
            found: Counter[tuple[Mark | None, ...]] = Counter()
            for pattern, cases in self.patterns.items():
                found[pattern.marks[index]] += cases
            self._marginals[index] = found
        return self._marginals[index]

    def index(self, arm: Arm) -> int:
        """Where the arm's marks are."""
        return self.arms.index(arm)

    def answered(self, arms: Iterable[Arm]) -> tuple[Arm, ...]:
        """Those of `arms` that have a verdict at all: the outage of one must not empty the comparison of the others."""
        return tuple(arm for arm in arms if arm in self.arms and self._has_verdict(self.index(arm)))

    def on_common_rows(self, arms: Sequence[Arm]) -> "CaseResults":
        """Only `arms`, and only the repeats of a case in which every one of them has a verdict (X10)."""
        indexes = [self.index(arm) for arm in arms]
        shared: Counter[CaseResult] = Counter()
        for pattern, cases in self.patterns.items():
            shared[pattern._replace(marks=_common([pattern.marks[index] for index in indexes]))] += cases
        kept = {pattern: cases for pattern, cases in shared.items() if any(map(any, pattern.marks))}
        return CaseResults(arms, self.repeats, kept)

    def by_tool(self) -> dict[str, "CaseResults"]:
        """Tool -> the cases about it, by name; a case about several tools is in each."""
        parts: dict[str, dict[CaseResult, int]] = {}
        for pattern, cases in self.patterns.items():
            for tool in pattern.tools:
                parts.setdefault(tool, {})[pattern] = cases
        return {tool: CaseResults(self.arms, self.repeats, patterns) for tool, patterns in sorted(parts.items())}

    @property
    def rows(self) -> int:
        """Cells (case x repeat) with a verdict of the first arm; all of them, on common rows."""
        if not self.arms:
            return 0
        return sum((len(marks) - marks.count(None)) * cases for marks, cases in self.marginal(0).items())

    @property
    def cases(self) -> int:
        """Cases with a verdict."""
        return sum(cases for pattern, cases in self.patterns.items() if any(map(any, pattern.marks)))

    def _has_verdict(self, index: int) -> bool:
        return any(map(any, self.marginal(index)))


def mark_of(row: GradedRow) -> Mark | None:
    """The row's verdict; None where it is excluded."""
    return None if row.confusion is None else _mark(row.confusion, row.outcome, row.category, row.subtype)


@lru_cache(maxsize=1024)
def _mark(
    confusion: Confusion,
    outcome: Outcome | None,
    category: ErrorCategory | None,
    subtype: ParameterSubtype | None,
) -> Mark:
    """Equal marks are one object: rows are many, marks are few."""
    return Mark(confusion, outcome, category, subtype)


def _common(marks: Sequence[tuple[Mark | None, ...]]) -> tuple[tuple[Mark | None, ...], ...]:
    full = [all(mark is not None for mark in column) for column in zip(*marks, strict=True)]
    return tuple(tuple(mark if keep else None for mark, keep in zip(row, full, strict=True)) for row in marks)
