"""Choices without chance: every pick is decided by the content hash of what it is for, the same on every machine."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A source of picks for one query. `key` names the query; `salt` names what is picked."""

    def __init__(self, *key: object) -> None:
        self._key = "|".join(map(str, key))

    def number(self, low: int, high: int, salt: object) -> int:
        """An integer in [low, high]."""
        digest = hashlib.blake2b(f"{self._key}|{salt}".encode(), digest_size=8).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)

    def pick(self, options: Sequence[T], salt: object) -> T:
        """One of `options`, which must not be empty."""
        return options[self.number(0, len(options) - 1, salt)]

    def sample(self, options: Sequence[T], count: int, salt: object) -> list[T]:
        """`count` different options (all where there are fewer), in drawn order."""
        order = sorted(range(len(options)), key=lambda at: (self.number(0, 2**32, f"{salt}|{at}"), at))
        return [options[at] for at in order[:count]]
