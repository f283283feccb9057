"""Writes a recording: everything is struck out that the caller names as secret, and the file is whole or not there."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from plugineval.clients.recorded.lines import AnswerLine, RecordingHeader
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

Redact = Callable[[Json], Json]


def write_recording(path: Path, header: RecordingHeader, lines: Iterable[AnswerLine], redact: Redact) -> None:
    """Write the file at `path`, which must not be there yet; `ConfigurationError` where that is not possible."""
    if path.exists():
        raise ConfigurationError("is there already", field=f"--out {path}", next_step="name another file, or move it")
    try:
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            partial = Path(file.name)
            try:
                file.writelines(_texts(header, lines, redact))
                file.flush()
                os.fsync(file.fileno())
                partial.replace(path)
            finally:
                with suppress(FileNotFoundError):
                    partial.unlink()
    except OSError as error:
        problem = f"cannot be written: {error.strerror or error}"
        raise ConfigurationError(
            problem, field=f"--out {path}", next_step="name a file in a folder of yours"
        ) from error


def _texts(header: RecordingHeader, lines: Iterable[AnswerLine], redact: Redact) -> Iterator[str]:
    first = {"recording": header.recording, **header.model_dump(mode="json", exclude_defaults=True)}
    for said in (first, *(line.model_dump(mode="json") for line in lines)):
        # ASCII alone: models emit half a surrogate pair, which no UTF-8 can hold.
        yield json.dumps(redact(said), separators=(",", ":")) + "\n"
