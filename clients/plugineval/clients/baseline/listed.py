"""The listed values of an argument that a text may say, found by looking the text's words up among them.

An enum may hold tens of thousands of values (places, codes, accounts). The text is cut into runs of words once and
each run is looked up, so that a call costs what its text is long, not what the enum is. The values found are a
superset of those that are really said: the exact patterns decide afterwards, on these few.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from plugineval.clients.baseline.lexicon import synonym_groups
from plugineval.clients.baseline.spotting.reading import Reading
from plugineval.clients.baseline.words import squeezed
from plugineval.pccf.values import Json, canonical_json

MOST_COMPARED = 1_000
"""A value spelled wrongly is looked for among at most so many listed values: near misses need one comparison each."""
_PLAIN = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"})
_APART = re.compile(r"[^\w\n]+|_+")
_LONGEST_RUN = 40
_KEPT = 256
_LISTS: dict[int, tuple[tuple[Json, ...], "Listed"]] = {}


class Listed:
    """An index over `choices`, built once; whole-text operations keep the building of a huge one short."""

    def __init__(self, choices: tuple[Json, ...]) -> None:
        self._choices = choices
        runs = _runs([_written(choice) for choice in choices])
        self._first = dict(zip(reversed(runs), range(len(runs) - 1, -1, -1), strict=True))
        self._more: defaultdict[str, list[int]] = defaultdict(list)
        if len(self._first) < len(runs):
            for place, run in enumerate(runs):
                self._more[run].append(place)
        self._lengths = sorted({run.count(" ") + 1 for run in self._first})
        self._wordless = [place for place, run in enumerate(runs) if not run] if "" in self._first else []
        self._numbers: defaultdict[float, list[int]] = defaultdict(list)
        for place, choice in enumerate(choices):
            if isinstance(choice, int | float):
                self._numbers[choice].append(place)
        self._add_synonyms(runs)

    @cached_property
    def spellings(self) -> frozenset[str]:
        """Every value without case, spaces and separators."""
        return frozenset(map(squeezed, map(str, self._choices)))

    def said_in(self, reading: Reading) -> list[Json]:
        """Values that `reading` may say, in the order of the list."""
        found = set(self._wordless)
        for run in self._runs_of(reading):
            if run in self._first:
                found.add(self._first[run])
            found.update(self._more.get(run, ()))
        for number in reading.all_numbers if self._numbers else ():
            if isinstance(number.value, int | float):
                found.update(self._numbers.get(number.value, ()))
        return [self._choices[place] for place in sorted(found)]

    def _runs_of(self, reading: Reading) -> Iterator[str]:
        words = _runs([reading.text.replace("\n", " ")])[0].split()
        for length in self._lengths:
            for start in range(len(words) - length + 1 if length <= _LONGEST_RUN else 0):
                yield " ".join(words[start : start + length])

    def _add_synonyms(self, runs: list[str]) -> None:
        """The other words of a value lead to it as well."""
        groups = synonym_groups()
        for place, joined in enumerate("\n".join(runs).replace(" ", "").split("\n")):
            for other in groups.get(joined, ()):
                run = _runs([other])[0]
                self._more[run].append(place)
                self._lengths = sorted({*self._lengths, run.count(" ") + 1})


def listed(choices: tuple[Json, ...]) -> Listed:
    """The index over `choices`; the same tuple gives the same index."""
    held = _LISTS.get(id(choices))
    # The tuple is kept beside its index, so that its id stays its own.
    if held is None or held[0] is not choices:
        if len(_LISTS) >= _KEPT:
            _LISTS.clear()
        held = _LISTS[id(choices)] = (choices, Listed(choices))
    return held[1]


def _written(choice: Json) -> str:
    if isinstance(choice, str):
        return choice
    return repr(choice).lower() if isinstance(choice, int | float) else canonical_json(choice)


def _runs(texts: list[str]) -> list[str]:
    """Each text as lower-case words with single spaces; "and" is dropped, which may join the words of a number."""
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts):
        whole = "\n".join(text.replace("\n", " ") for text in texts)
    plain = (whole.translate(_PLAIN) if whole.isascii() else _APART.sub(" ", whole)).lower()
    return [
        " ".join(word for word in line.split() if word != "and") if "and" in line else " ".join(line.split())
        for line in plain.split("\n")[: len(texts)]
    ]


def shown(choices: Iterable[Json], *, most: int = 12) -> str:
    """`choices` for a sentence: the first of a long list, and how many more there are."""
    texts = [str(choice) for choice in choices]
    return ", ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")
