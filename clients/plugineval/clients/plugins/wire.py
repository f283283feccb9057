"""What was seen on the wire to a plugin beside readable answers: broken lines, endless lines, the end.

The SDK knows answers and errors only. A broken answer is handed to the call that waits for it as an error whose data
is a `BrokenAnswer`: a Python object that no server can send, so it cannot be mistaken for the server's own error.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import anyio

from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.redaction import LONGEST
from plugineval.pccf.observations import ObservationKind

HEAD_BYTES = 65_536
_ID = re.compile(rb'"id"\s*:\s*(\d+)')


@dataclass(frozen=True, kw_only=True)
class BrokenAnswer:
    """Why the answer to one call cannot be read, and the beginning of what came."""

    kind: ObservationKind
    detail: str
    head: str = ""


class Line(NamedTuple):
    """One line of stdout; `whole` is False where it was longer than the limit and `data` is only its beginning."""

    data: bytes
    whole: bool = True


class LineSplitter:
    """Chunks to lines, in time and memory that an endless line cannot exhaust."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """The lines that `chunk` completes, and the beginning of one that just became too long."""
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield from self._take(end)
            if not self._skipping:
                yield Line(data=b"".join(self._parts))
            self._parts, self._size, self._skipping = [], 0, False
        yield from self._take(rest)

    def _take(self, part: bytes) -> Iterator[Line]:
        if self._skipping:
            return
        self._parts.append(part)
        self._size += len(part)
        if self._size > self._longest:
            self._skipping = True
            # Longer than what is kept of it: a secret must not be cut before it was searched for.
            yield Line(data=b"".join(self._parts)[: HEAD_BYTES + LONGEST], whole=False)
            self._parts = []


@dataclass
class Wire:
    """The state that a transport shares with its connection."""

    redactor: Redactor = field(default_factory=Redactor)
    ended: anyio.Event = field(default_factory=anyio.Event)
    waiting: set[str | int | None] = field(default_factory=set[str | int | None])
    """Ids of requests without an answer."""
    broken_lines: int = 0
    latest_broken: str = ""
    end: str = ""
    """How the connection ended, for a person."""
    last_words: str = ""
    """What the process said at last on stderr, without secrets."""

    def note_broken(self, data: bytes) -> None:
        """Remember a line that is no message and holds no secret."""
        self.broken_lines += 1
        self.latest_broken = data[:200].decode(errors="replace")

    def meant(self, head: bytes) -> str | int | None:
        """The id of the waiting request that a broken answer beginning with `head` belongs to, if that is certain."""
        if len(self.waiting) == 1:
            return next(iter(self.waiting))
        found = _ID.search(head)
        number = int(found.group(1)) if found is not None else None
        return number if number in self.waiting else None
