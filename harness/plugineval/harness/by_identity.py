"""What was made of an object, found again by the object itself and not by its content, for as long as the object lives.

Every run brings tools and gold calls of its own, equal or not. Found by content they would be hashed again and again;
kept until there are too many, those of runs that are over would fill a server's memory and tear holes into it.
"""

from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import ref

K = TypeVar("K")
V = TypeVar("V")


class ByIdentity(Generic[K, V]):
    """Object -> value; it keeps no object alive, and the value no longer than the object."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[_Holding[K], V]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        """The value of this very object."""
        found = self._kept.get(id(key))
        return found[1] if found is not None and found[0]() is key else None

    def keep(self, key: K, value: V) -> None:
        """Find `value` by `key` from now on; `key` itself must not be reachable from it."""
        self._kept[id(key)] = (_Holding(key, self._forget), value)

    def clear(self) -> None:
        """Forget all of them."""
        self._kept.clear()

    def _forget(self, gone: "ref[K]") -> None:
        # Of an object that was kept anew the earlier reference is gone before it could call. No name of this module is
        # asked for: when the interpreter ends, they may be gone already.
        self._kept.pop(getattr(gone, "number", 0), None)


class _Holding(ref[K]):
    """A reference that still knows the number of its object when that is gone."""

    __slots__ = ("number",)
    number: int

    def __new__(cls, key: K, forget: "Callable[[ref[K]], None]") -> "_Holding[K]":
        made = super().__new__(cls, key, forget)
        made.number = id(key)
        return made
