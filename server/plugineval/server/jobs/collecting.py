"""Rare garbage collections while many values are made that leave no cycles behind.

Looking for cycles in every thousand objects would cost an eighth of the time of a run.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

AFTER = 50_000
"""Objects made and kept before the garbage collector looks for cycles."""
_STANDING: list[tuple[int, int, int]] = []


@contextmanager
def rare_collections() -> Generator[None]:
    """Inside this block; where several overlap, until the last one ends."""
    _STANDING.append(gc.get_threshold())
    gc.set_threshold(AFTER, *gc.get_threshold()[1:])
    try:
        yield
    finally:
        first = _STANDING[0]
        _STANDING.pop()
        if not _STANDING:
            gc.set_threshold(*first)
