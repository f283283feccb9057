"""Files of one JSON document a line: opened with a clear error, streamed, each line parsed strictly and fast."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

from plugineval.clients.formats.fields import Refused
from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Json

_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"\x1f\x8b": "gzip", b"PK": "zip"}
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# The fast parser reads a number that is too large as an infinity, which is none of JSON's numbers.
_HUGE = re.compile(rb"\d[eE]\+?\d{3}")


def lines_of(path: Path, seen: Callable[[bytes], None] = lambda line: None) -> Iterator[bytes]:
    """The lines of the file at `path`, each shown to `seen`; `InvalidRecordError` where it is no file of lines."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if number == 0:
                    _check_beginning(path, line)
                seen(line)
                yield line
    except OSError as error:
        raise InvalidRecordError(
            f"cannot be read: {error.strerror or error}",
            field=str(path),
            next_step="give the path of one that can",
        ) from error


def without_mark(line: bytes) -> bytes:
    """A file's first line without its byte order mark."""
    return line.removeprefix(_BYTE_ORDER_MARK)


def parsed(line: bytes) -> Json:
    """The document of `line`, as strict as `strict_loads`; `Refused` says what is wrong with it."""
    from jiter import from_json

    if not _HUGE.search(line):
        try:
            return cast("Json", from_json(line, allow_inf_nan=False, catch_duplicate_keys=True))
        except ValueError:
            # The slow parser says what is wrong in our own words.
            pass
    try:
        # Without the line's end, which would count as a second line and hide the place of the mistake.
        return strict_loads(line.rstrip(b"\r\n").decode())
    except UnicodeDecodeError as error:
        raise Refused("line", f"is not UTF-8 (byte {error.start + 1})") from error
    except NotJsonError as error:
        place = "" if error.column is None else f", column {error.column}"
        raise Refused("line", f"is not JSON: {error.problem}{place}") from error


def _check_beginning(path: Path, line: bytes) -> None:
    for mark, kind in _MARKS.items():
        if line.startswith(mark):
            raise InvalidRecordError(f"is {kind}, not UTF-8 text", field=str(path), next_step="save it as UTF-8")
