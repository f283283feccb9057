"""A secret of the server: from the environment, or in a file that only its owner reads, made once, also where two
servers start at once.
"""

import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError


@dataclass(frozen=True, kw_only=True)
class SecretKind:
    """What a secret is called, and where a person gives it."""

    noun: str
    variable: str
    """Of the environment."""
    minimum: int
    """Characters."""

    def load(self, path: Path, environ: Mapping[str, str]) -> str:
        """The secret of the environment, else that in `path`, which is made where there is none.

        `ConfigurationError` for one that is too short, and where it cannot be kept.
        """
        given = environ.get(self.variable)
        if given is not None:
            if len(given) < self.minimum:
                raise ConfigurationError(
                    f"the {self.noun} has {len(given)} characters, fewer than {self.minimum}",
                    field=self.variable,
                    next_step=f"unset {self.variable} to have one made, or export a longer one",
                )
            return given
        try:
            return kept_secret(path)
        except OSError as error:
            raise ConfigurationError(
                f"the {self.noun} cannot be kept in {path}: {error.strerror}",
                field=self.variable,
                next_step=f"export {self.variable}, or give a folder of your own with --home",
            ) from error


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
