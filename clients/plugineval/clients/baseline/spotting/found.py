"""A value read off a text: what it is, where it stands, and how it was read."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugineval.pccf.values import Json


class Found(NamedTuple):
    """`text[start:end]` was read as `value`; `how` says by which reading."""

    value: Json
    start: int
    end: int
    how: str

    def overlaps(self, other: "Found") -> bool:
        """Whether both share a character."""
        return self.start < other.end and other.start < self.end

    def within(self, others: Iterable["Found"]) -> bool:
        """Whether it overlaps any of `others`."""
        return any(self.overlaps(other) for other in others)


def matches(pattern: re.Pattern[str], text: str, how: str) -> list[Found]:
    """Every match of `pattern` as it is spelled; group 1 where there is one."""
    group = 1 if pattern.groups else 0
    return [Found(m.group(group), m.start(group), m.end(group), how) for m in pattern.finditer(text)]


_BETWEEN = re.compile(r"\s*(?:,|;|,?\s*\b(?:and|or)\b|,?\s*&)?\s*")


def chains(text: str, items: Sequence[Found]) -> list[Found]:
    """Runs of neighbouring items ("3, 5 and 9") as lists; an item that stands alone is a list of one."""
    runs: list[list[Found]] = []
    for item in sorted(items, key=lambda found: found.start):
        if runs and _BETWEEN.fullmatch(text[runs[-1][-1].end : item.start]):
            runs[-1].append(item)
        else:
            runs.append([item])
    return [Found([item.value for item in run], run[0].start, run[-1].end, "list in the text") for run in runs]
