"""Which settings files a person trusts: a path together with the very text that the person saw.

A `plugineval.toml` names commands to be started, so one that merely lies in the working directory (of a repository
that was just cloned) must be inert until its owner here has said otherwise. A file that was changed is asked for again.
"""

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.trust.private_files import PrivateFolder


class Trust(StrEnum):
    """What is known of a settings file."""

    TRUSTED = "trusted"
    UNKNOWN = "unknown"
    CHANGED = "changed"
    """It was trusted with another text."""


class TrustedFiles:
    """Kept below the home, in a file for each path."""

    def __init__(self, home: Path) -> None:
        self._folder = PrivateFolder(home / "trust")

    def of(self, path: Path, text: str) -> Trust:
        """What is known of the file `path` that holds `text`. What cannot be read is no trust."""
        try:
            known = self._folder.get(_name(path))
        except ConfigurationError:
            return Trust.UNKNOWN
        if known is None or known.get("path") != _place(path):
            return Trust.UNKNOWN
        return Trust.TRUSTED if known.get("sha256") == _digest(text) else Trust.CHANGED

    def record(self, path: Path, text: str) -> None:
        """Trust `path` as long as it holds `text`; `ConfigurationError` where that cannot be written down."""
        at = datetime.now(UTC).isoformat()
        self._folder.keep(_name(path), {"path": _place(path), "sha256": _digest(text), "trusted_at": at})

    def revoke(self, path: Path) -> bool:
        """Trust `path` no longer; whether it was trusted."""
        known = _name(path) in set(self._folder.names())
        self._folder.drop(_name(path))
        return known


def _place(path: Path) -> str:
    """Where the file lies, not where a link leads: what is relative in it is relative to that folder."""
    return str(path.parent.resolve() / path.name)


def _name(path: Path) -> str:
    return _digest(_place(path))[:32]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
