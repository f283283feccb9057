"""A secret of the server in a file that only its owner reads: made once, also where two servers start at once."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def kept_secret(path: Path) -> str:
    """The secret in `path`, 256 random bits in URL-safe letters; it is made, mode 0600, where there is none.

    `OSError` where it can neither be read nor written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _make(path)
    return path.read_text(encoding="ascii").strip()


def _make(path: Path) -> None:
    """Appear whole or not at all; whoever is first has made it."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
