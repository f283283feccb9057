"""All verdicts of one case, over models, variants and repeats, as one pattern; cases of one pattern count together.

Whatever is said about pairs of models or about repeats needs whole cases, not rows.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from plugineval.harness.outcomes import GradedRow
from plugineval.harness.row_facts import RowVerdict
from plugineval.harness.statistics.marks import SILENT, Letters, Mark, PerWord, Tries, shared_mark
from plugineval.pccf.examples import Difficulty

__all__ = ["Arm", "CaseResult", "CaseResults", "Marginal", "Mark", "is_positive", "is_right", "mark_of"]

T = TypeVar("T")


class Arm(NamedTuple):
    """What is compared: a model with the published descriptions (`variant` empty), or with a variant of them (X7)."""

    model: str
    variant: str = ""


class CaseResult(NamedTuple):
    """One case: the tools it is about, and per arm a word of as many letters as the case has repeats."""

    tools: tuple[str, ...]
    difficulty: Difficulty | None
    words: tuple[str, ...]


Marginal: TypeAlias = Mapping[tuple[Mark | None, ...], int]


class CaseResults:
    """Patterns with the number of cases that show them, for the arms in `arms`; `letters` reads their words."""

    def __init__(self, arms: Sequence[Arm], repeats: int, patterns: Mapping[CaseResult, int], letters: Letters) -> None:
        self.arms = tuple(arms)
        self.repeats = repeats
        self.patterns = patterns
        self._letters = letters
        self._marginals: dict[int, Mapping[str, int]] = {}

    def part(self, patterns: Mapping[CaseResult, int]) -> "CaseResults":
        """Some of the cases."""
        return CaseResults(self.arms, self.repeats, patterns, self._letters)

    def per_word(self, told: Callable[[Sequence[Mark]], T]) -> PerWord[T]:
        """What `told` makes of the verdicts of a word, to be asked for every word of every case."""
        return PerWord(self._letters, told)

    def tries(self, hit: Callable[[Mark], bool], among: Callable[[Mark], bool] | None = None) -> PerWord[Tries]:
        """Of a word: how many of its verdicts that are `among` are a `hit` too, and how many are `among`."""
        return self._letters.tries(hit, among)

    def marginal(self, index: int) -> "Marginal":
        """The marks of one arm alone, by repeat -> cases: a few hundred at most, whatever the number of patterns."""
        return {self._letters.read(word): cases for word, cases in self.words(index).items()}

    def words(self, index: int) -> Mapping[str, int]:
        """The same by word."""
        if index not in self._marginals:
            found: Counter[str] = Counter()
            for pattern, cases in self.patterns.items():
                found[pattern.words[index]] += cases
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
        indexes, cutting = [self.index(arm) for arm in arms], _Cutting()
        shared: Counter[CaseResult] = Counter()
        for (tools, difficulty, words), cases in self.patterns.items():
            common = cutting.common([words[index] for index in indexes])
            if common is not None:
                shared[CaseResult(tools, difficulty, common)] += cases
        return CaseResults(arms, self.repeats, shared, self._letters)

    def by_tool(self) -> dict[str, "CaseResults"]:
        """Tool -> the cases about it, by name; a case about several tools is in each."""
        parts: dict[str, dict[CaseResult, int]] = {}
        for pattern, cases in self.patterns.items():
            for tool in pattern.tools:
                parts.setdefault(tool, {})[pattern] = cases
        return {tool: self.part(patterns) for tool, patterns in sorted(parts.items())}

    @property
    def rows(self) -> int:
        """Cells (case x repeat) with a verdict of the first arm; all of them, on common rows."""
        if not self.arms:
            return 0
        return sum((len(word) - word.count(SILENT)) * cases for word, cases in self.words(0).items())

    @property
    def cases(self) -> int:
        """Cases with a verdict."""
        return sum(cases for _, cases in self.with_verdicts())

    def with_verdicts(self) -> list[tuple[CaseResult, int]]:
        """The patterns of cases with a verdict, and their numbers."""
        return [(found, cases) for found, cases in self.patterns.items() if any(w.strip(SILENT) for w in found.words)]

    def _has_verdict(self, index: int) -> bool:
        return any(word.strip(SILENT) for word in self.words(index))


def mark_of(row: GradedRow | RowVerdict) -> Mark | None:
    """The row's verdict; None where it is excluded."""
    return None if row.confusion is None else shared_mark(row.confusion, row.outcome, row.category, row.subtype)


def is_right(mark: Mark) -> bool:
    """TP or TN."""
    return mark.right


def is_positive(mark: Mark) -> bool:
    """TP or FN."""
    return mark.positive


class _Cutting:
    """Silences what others are silent about; of few words, each once."""

    def __init__(self) -> None:
        self._heard: dict[str, int] = {}
        self._cut: dict[tuple[str, int], str] = {}

    def common(self, words: Sequence[str]) -> tuple[str, ...] | None:
        """The words of one case with the repeats that all of them have; None where there is none."""
        heard = [self._heard.get(word) or self._hear(word) for word in words]
        shared = min(heard, default=0)
        for each in heard:
            shared &= each
        if not shared:
            return None
        pairs = zip(words, heard, strict=True)
        return tuple([word if each == shared else self._silenced(word, shared) for word, each in pairs])

    def _hear(self, word: str) -> int:
        """A bit for every repeat with a verdict."""
        found = self._heard[word] = sum(1 << place for place, letter in enumerate(word) if letter != SILENT)
        return found

    def _silenced(self, word: str, shared: int) -> str:
        found = self._cut.get((word, shared))
        if found is None:
            kept = (letter if shared >> place & 1 else SILENT for place, letter in enumerate(word))
            found = self._cut[word, shared] = "".join(kept)
        return found
