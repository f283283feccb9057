"""Which known name a mistyped one was probably meant to be: few letters apart, or part of it, in any case.

Words are near by the share of letters that they have in common, too; ids of one day would all be, by the date in them.
"""

from collections.abc import Iterable
from math import ceil

COMPARED = 1000
"""Of stored names the newest, among which the one that was meant is looked for."""
FEWEST_CONTAINED = 3
"""Letters of a part that is looked for inside of names."""
MOST_APART = 3
ALIKE = 75.0
_LETTERS_PER_SLIP = 3


def nearest(given: str, names: Iterable[str], *, most: int = 3) -> tuple[str, ...]:
    """At most `most` of `names`, the nearest first; empty where none is near.

    Near: as many letters added, left out, replaced or swapped with their neighbour as a third of `given` has (at
    most `MOST_APART`); without digits also a name with `ALIKE` percent of its letters; or one that it is a part of.
    """
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA

    pool = tuple(dict.fromkeys(names))
    apart = min(MOST_APART, ceil(len(given) / _LETTERS_PER_SLIP))
    near = process.extract(given, pool, scorer=OSA.distance, processor=str.casefold, score_cutoff=apart, limit=most)
    found = [name for name, _, _ in near]
    if not any(map(str.isdigit, given)):
        alike = process.extract(given, pool, scorer=fuzz.ratio, processor=str.casefold, score_cutoff=ALIKE, limit=most)
        found += [name for name, _, _ in alike]
    if len(given) >= FEWEST_CONTAINED:
        found += [name for name in pool if given.casefold() in name.casefold()]
    return tuple(dict.fromkeys(found))[:most]


def meant(given: str, names: Iterable[str]) -> str:
    """The nearest as the end of a sentence that says that there is no such name; empty where none is near."""
    close = nearest(given, names, most=1)
    return f"; did you mean {close[0]!r}?" if close else ""
