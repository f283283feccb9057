"""Puts a settings file in its place whole or not at all, readable by its owner alone, and never over another one
unless asked; the one before it is kept.
"""

from itertools import count
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.trust.private_files import put


def write_settings(path: Path, text: str, *, force: bool) -> Path | None:
    """Write `text` to `path` (mode 0600) and return where the file that was there before is kept, if one was.

    `ConfigurationError` where a file is there and `force` is not set, and where the place cannot be written.
    """
    if path.is_dir():
        raise ConfigurationError(
            "is a directory", field=str(path), next_step=f"name a file: {path / 'plugineval.toml'}"
        )
    if path.exists() and not force:
        step = "choose another --out, or give --force to replace it (the old file is kept as .bak)"
        raise ConfigurationError("is already there and is left as it is", field=str(path), next_step=step)
    target = path.resolve()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        kept = _kept(target) if target.exists() else None
        put(target, text)
    except OSError as error:
        problem = f"cannot be written ({error.strerror or error})"
        step = "make its directory writable, free some space, or choose another --out"
        raise ConfigurationError(problem, field=str(path), next_step=step) from error
    return kept


def _kept(target: Path) -> Path:
    names = (target.with_name(f"{target.name}.bak{number or ''}") for number in count())
    spare = next(name for name in names if not name.exists())
    put(spare, target.read_bytes())
    return spare
