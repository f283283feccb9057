"""Collects rows into whole cases, two bytes for a cell and some more for the name of each case.

Rows may come in any order: which repeats of a case agree is known when they have all come.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import nsmallest

from plugineval.harness.outcomes import GradedRow
from plugineval.harness.statistics.case_results import Arm, CaseResult, CaseResults, Mark, mark_of
from plugineval.harness.statistics.marks import Letters
from plugineval.pccf.examples import Difficulty

_GROWN = 256
"""Cases that room is made for at once."""


class CaseLedger:
    """Takes the rows of `arms`, each once, in any order; rows of other arms are ignored."""

    def __init__(self, arms: Sequence[Arm], *, repeats: int, listed: int = 20) -> None:
        self._arms = {arm: index for index, arm in enumerate(arms)}
        self._numbers: dict[tuple[str, str], int] = {(arm.model, arm.variant): at for arm, at in self._arms.items()}
        self._repeats = repeats
        self._listed = listed
        self._letters = Letters()
        self._words: dict[bytes, str] = {}
        self._places: dict[str, int] = {}
        self._about: list[tuple[tuple[str, ...], Difficulty | None]] = []
        self._marks = [array("H") for _ in arms]
        self._late: dict[int, dict[tuple[int, int], int]] = {}

    def add(self, row: GradedRow, *, tools: tuple[str, ...] = ()) -> None:
        """Take one row of a case about `tools`."""
        place = self.place(row.case_id, tools, row.difficulty)
        self.put(row.model, row.variant, place, row.repeat, self.letter(mark_of(row)))

    def known(self, case_id: str) -> int | None:
        """The number of a case that was met before."""
        return self._places.get(case_id)

    def place(self, case_id: str, tools: tuple[str, ...], difficulty: Difficulty | None) -> int:
        """The number of a case, which is about `tools` since its first row."""
        found = self._places.get(case_id)
        if found is None:
            found = self._places[case_id] = len(self._about)
            self._about.append((tools, difficulty))
            if found * self._repeats >= max(map(len, self._marks), default=0):
                room = array("H", bytes(2 * _GROWN * self._repeats))
                for marks in self._marks:
                    marks.extend(room)
        return found

    def letter(self, mark: Mark | None) -> int:
        """The number that stands for a mark."""
        return self._letters.number(mark)

    def put(self, model: str, variant: str, place: int, repeat: int, letter: int) -> None:
        """Take the letter of one cell; where the arm is not asked for, it is ignored."""
        # A plain pair is the same key, and sooner made.
        arm = self._numbers.get((model, variant))
        if arm is None:
            return
        if repeat < self._repeats:
            self._marks[arm][place * self._repeats + repeat] = letter
        else:
            # A row beyond the announced repeats is kept all the same: it was measured.
            self._late.setdefault(place, {})[arm, repeat] = letter

    def results(self) -> CaseResults:
        """The cases so far; what has not come counts as no verdict."""
        patterns: Counter[CaseResult] = Counter()
        for place, (tools, difficulty) in enumerate(self._about):
            patterns[CaseResult(tools, difficulty, self._case(place))] += 1
        return CaseResults(tuple(self._arms), self._repeats, patterns, self._letters)

    def flaky(self, arm: Arm) -> tuple[str, ...]:
        """The first ids of cases that an arm got right in some repeats and wrong in others."""
        return tuple(nsmallest(self._listed, self._flaky(self._arms[arm])))

    def _flaky(self, arm: int) -> Iterator[str]:
        known: dict[str, bool] = {}
        for name, place in self._places.items():
            word = self._word(arm, place)
            if word not in known:
                known[word] = len({mark.right for mark in self._letters.verdicts(word)}) > 1
            if known[word]:
                yield name

    def _case(self, place: int) -> tuple[str, ...]:
        return tuple([self._word(arm, place) for arm in range(len(self._marks))])

    def _word(self, arm: int, place: int) -> str:
        start = place * self._repeats
        key = self._marks[arm][start : start + self._repeats].tobytes()
        word = self._words.get(key)
        if word is None:
            word = self._words[key] = "".join(map(chr, array("H", key)))
        return word if place not in self._late else word + self._late_word(arm, place)

    def _late_word(self, arm: int, place: int) -> str:
        late = self._late[place]
        repeats = range(self._repeats, 1 + max(repeat for _, repeat in late))
        return "".join(chr(late.get((arm, repeat), 0)) for repeat in repeats)
