"""What a plugin says on stderr: the last lines are kept for error messages, the rest goes to a bounded file.

Nothing of it reaches our own terminal, secrets are struck out before a line is kept anywhere, and whoever looks into
the file sees control characters as escapes instead of obeying them.
"""

from collections import deque
from pathlib import Path

from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.redaction import LONGEST

LINES_KEPT = 12
LONGEST_LINE = 500
LARGEST_FILE = 1_048_576


class LastWords:
    """Takes stderr in chunks; the file is begun anew once it is full."""

    def __init__(self, file: Path, redactor: Redactor) -> None:
        self._file = file
        self._redactor = redactor
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._rest = b""

    def feed(self, chunk: bytes) -> None:
        """Take what was just read; an unfinished line waits for its end, unless it is too long to be one."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LARGEST_FILE // 16:
            # A secret whose end has not come yet is in what is kept back.
            self._rest = self._redactor.secrets(self._rest)
            lines.append(self._rest[:-LONGEST])
            self._rest = self._rest[-LONGEST:]
        self._keep(lines)

    def finish(self) -> None:
        """Take the last line, which had no end."""
        self._keep([self._rest] if self._rest else [])
        self._rest = b""

    @property
    def text(self) -> str:
        """The last lines, at most some thousand characters; empty where it said nothing."""
        return "\n".join(self._lines)

    def _keep(self, raw: list[bytes]) -> None:
        lines = [_visible(self._redactor.text(line.decode(errors="replace").rstrip())) for line in raw]
        self._lines.extend(line[:LONGEST_LINE] for line in lines if line.strip())
        if lines:
            self._write("".join(f"{line}\n" for line in lines))

    def _write(self, text: str) -> None:
        try:
            full = self._file.exists() and self._file.stat().st_size > LARGEST_FILE
            with self._file.open("w" if full else "a", encoding="utf-8") as log:
                log.write(text[:LARGEST_FILE])
        except OSError:
            # A full disk must not end a session that needs no disk; the last lines are kept in memory.
            return


def _visible(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() or each == "\t" else ascii(each)[1:-1] for each in line)
