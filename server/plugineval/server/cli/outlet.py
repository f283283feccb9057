"""Where a command's output goes: a pipe that nobody reads any more ends it quietly, a full disk with one sentence.

Output is printed in the middle of tasks and jobs. An error that came up there would end them, wrapped in groups and
shown as a trace; so what cannot be written is dropped, remembered, and told when the command has ended.
"""

import io
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Outlet(io.RawIOBase):
    """A raw stream that never fails; `failure` is what went wrong first."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw
        self.failure: OSError | None = None

    def writable(self) -> bool:
        """It is."""
        return True

    def fileno(self) -> int:
        """That of the stream behind it."""
        return self._raw.fileno()

    def isatty(self) -> bool:
        """Whether a person watches."""
        return self._raw.isatty()

    def write(self, data: "Buffer", /) -> int | None:
        """Write what can be written."""
        if self.failure is None:
            try:
                return self._raw.write(data)
            except OSError as error:
                self.failure = error
        return len(memoryview(data))

    @property
    def problem(self) -> str | None:
        """What a person should hear: nothing where the reader simply left."""
        if self.failure is None or isinstance(self.failure, BrokenPipeError):
            return None
        return self.failure.strerror or str(self.failure)


def guarded(stream: TextIO) -> tuple[TextIO, Outlet | None]:
    """`stream` on an outlet, with the characters it cannot encode as escapes; a stream of another kind as it is."""
    buffer: object = getattr(stream, "buffer", None)
    # An unbuffered stream has the raw one in its place.
    raw: object = getattr(buffer, "raw", buffer)
    wrapper: object = stream
    if not isinstance(wrapper, io.TextIOWrapper) or not isinstance(raw, io.RawIOBase):
        return stream, None
    stream.flush()
    outlet = Outlet(raw)
    lines = stream is sys.stderr or outlet.isatty() or buffer is raw
    encoding = stream.encoding
    buffered = io.BufferedWriter(outlet)
    return io.TextIOWrapper(buffered, encoding=encoding, errors="backslashreplace", line_buffering=lines), outlet
