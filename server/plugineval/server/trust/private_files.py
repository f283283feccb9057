"""Small files of one JSON object each that only this user can read, put in their place whole or not at all.

One file for each thing, so that a server and a command line that work at the same time never overwrite each other.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

_OBJECT: TypeAdapter[dict[str, Json]] = TypeAdapter(dict[str, Json])


def put(target: Path, content: str | bytes) -> None:
    """Replace `target`; `mkstemp` makes the file with mode 0600, so it is never readable by others in between."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _make(folder: Path) -> None:
    """`mkdir` gives folders above the one it is asked for to everybody."""
    for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


class PrivateFolder:
    """A folder of such files, made when something is first kept."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def get(self, name: str) -> dict[str, Json] | None:
        """The object called `name`, None where there is none; `ConfigurationError` where it cannot be read: what was
        once decided must not be forgotten because of a damaged file.
        """
        file = self.path / f"{name}.json"
        try:
            return _OBJECT.validate_json(file.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise self._damaged(file) from error

    def keep(self, name: str, value: dict[str, Json]) -> None:
        """Keep an object; `ConfigurationError` where it cannot be written."""
        try:
            _make(self.path)
            put(self.path / f"{name}.json", json.dumps(value, indent=1))
        except OSError as error:
            raise self._unwritable(error) from error

    def keep_first(self, name: str, value: dict[str, Json]) -> bool:
        """Keep an object where there is none of this name yet, whoever else tries; whether it was kept."""
        file = self.path / f"{name}.json"
        try:
            _make(self.path)
            handle, temporary = tempfile.mkstemp(dir=self.path, prefix=f".{name}.")
            with os.fdopen(handle, "w", encoding="utf-8") as written:
                json.dump(value, written, indent=1)
            try:
                os.link(temporary, file)
            finally:
                os.unlink(temporary)
        except FileExistsError:
            return False
        except OSError as error:
            raise self._unwritable(error) from error
        return True

    def drop(self, name: str) -> None:
        """Forget an object, if there is one."""
        try:
            (self.path / f"{name}.json").unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error

    def names(self) -> Iterator[str]:
        """The objects there are, in order of their names."""
        if self.path.is_dir():
            yield from sorted(file.stem for file in self.path.glob("*.json") if not file.name.startswith("."))

    def _damaged(self, file: Path) -> ConfigurationError:
        step = "delete it; what it held is then asked again"
        return ConfigurationError("cannot be read as what was once decided", field=str(file), next_step=step)

    def _unwritable(self, error: OSError) -> ConfigurationError:
        return ConfigurationError(
            f"cannot be written: {error.strerror or error}",
            field=str(self.path),
            next_step="make it writable, or choose another home with --home or PLUGINEVAL_HOME",
        )
