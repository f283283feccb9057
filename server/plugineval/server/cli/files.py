"""Files that a command writes for a person: never over one that is there."""

from pathlib import Path

from plugineval.pccf.errors import ConfigurationError


def refuse_existing(path: Path | None) -> None:
    """What a person may have edited is never written over; refused before the work, not after it."""
    if path is not None and path.exists():
        raise ConfigurationError(
            "there is such a file already", field=str(path), next_step="name a new file, or delete it"
        )


def write_new(path: Path, content: str | bytes) -> None:
    """Write a file that is not there yet, a text as UTF-8; `ConfigurationError` where it cannot be."""
    try:
        with path.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise ConfigurationError(problem, field=str(path), next_step="name a file that can be") from error
