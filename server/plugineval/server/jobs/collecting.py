"""Rare garbage collections while many values are made that leave no cycles behind.

Looking for cycles in every thousand objects would cost an eighth of the time of a run.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

AFTER = 50_000
"""Objects made and kept before the garbage collector looks for cycles."""
OFTEN = 3_000
"""The same where many clients wait for answers: each collection is one breath, not a sixth of a second."""
_STANDING: list[tuple[int, int, int]] = []
_short = False


def late_collections() -> None:
    """Look for cycles from now on, in a process that did not while it started; what is loaded already is left out."""
    gc.freeze()
    gc.enable()


def short_collections() -> None:
    """Look for cycles often and shortly from now on, in a process that answers many clients at once, whatever runs in
    it; what is loaded already is left out.
    """
    global _short  # noqa: PLW0603 - there is one garbage collector in a process
    _short = True
    gc.collect()
    late_collections()
    gc.set_threshold(OFTEN, *gc.get_threshold()[1:])


@contextmanager
def rare_collections() -> Generator[None]:
    """Inside this block; where several overlap, until the last one ends. Not where they have to be short."""
    if _short:
        yield
        return
    _STANDING.append(gc.get_threshold())
    gc.set_threshold(AFTER, *gc.get_threshold()[1:])
    try:
        yield
    finally:
        first = _STANDING[0]
        _STANDING.pop()
        if not _STANDING:
            gc.set_threshold(*first)
