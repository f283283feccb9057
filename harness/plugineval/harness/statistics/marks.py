"""The verdict of one attempt, and verdicts of one arm on one case written as a word: one letter for each repeat.

Cases are many and words are few. What is asked of a word is found once for all cases that show it, and comparing two
cases is comparing a few short strings.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias, TypeVar

from plugineval.harness.outcomes import Confusion, ErrorCategory, Outcome, ParameterSubtype

T = TypeVar("T")
Tries: TypeAlias = tuple[int, int]
"""Hits, attempts."""
SILENT = "\0"
"""The letter of a repeat without a verdict."""


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


_Asked: TypeAlias = Callable[[Mark], bool]


@lru_cache(maxsize=1024)
def shared_mark(
    confusion: Confusion, outcome: Outcome | None, category: ErrorCategory | None, subtype: ParameterSubtype | None
) -> Mark:
    """Equal marks are one object: rows are many, marks are few."""
    return Mark(confusion, outcome, category, subtype)


class Letters:
    """The letters of one run's marks, in the order in which they were met; 0 is silence."""

    def __init__(self) -> None:
        self._numbers: dict[Mark | None, int] = {None: 0}
        self._marks: list[Mark | None] = [None]
        self._read: dict[str, tuple[Mark | None, ...]] = {}
        self._tries: dict[tuple[_Asked, _Asked | None], PerWord[Tries]] = {}

    def number(self, mark: Mark | None) -> int:
        """The code point of a mark's letter."""
        found = self._numbers.get(mark)
        if found is None:
            found = self._numbers[mark] = len(self._marks)
            self._marks.append(mark)
        return found

    def read(self, word: str) -> tuple[Mark | None, ...]:
        """The marks of a word, by repeat; None where there is no verdict."""
        found = self._read.get(word)
        if found is None:
            found = self._read[word] = tuple([self._marks[ord(letter)] for letter in word])
        return found

    def verdicts(self, word: str) -> list[Mark]:
        """The marks of a word that are there."""
        return [mark for mark in self.read(word) if mark is not None]

    def tries(self, hit: _Asked, among: _Asked | None) -> "PerWord[Tries]":
        """Hits and attempts of a word. The same two questions are answered from the same table."""
        found = self._tries.get((hit, among))
        if found is None:
            found = self._tries[hit, among] = PerWord(self, partial(_tries, hit, among))
        return found


class PerWord(dict[str, T]):
    """Word -> what `told` makes of its verdicts, found once for each word."""

    def __init__(self, letters: Letters, told: Callable[[Sequence[Mark]], T]) -> None:
        super().__init__()
        self._letters = letters
        self._told = told

    def __missing__(self, word: str) -> T:
        found = self[word] = self._told(self._letters.verdicts(word))
        return found


def _tries(hit: _Asked, among: _Asked | None, verdicts: Sequence[Mark]) -> Tries:
    inside = verdicts if among is None else [mark for mark in verdicts if among(mark)]
    return sum(map(hit, inside)), len(inside)
