"""Which settings file counts, with the text that was looked at: one that a person named, trusts, or keeps in the home.

The text is read once and what was read is what is used, so that nobody can change a file between the two.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.locations import FILE_NAME, find_config, is_usual, lies_about
from plugineval.server.settings.settings import Untrusted
from plugineval.server.settings.source import text_of
from plugineval.server.trust.settings_files import Trust, TrustedFiles


class Counting(NamedTuple):
    """The file that counts, if there is one, and the one that would if it were trusted."""

    path: Path | None
    text: str = ""
    untrusted: Untrusted | None = None


def counting_file(*, config: Path | None, home: Path, environ: Mapping[str, str], cwd: Path) -> Counting:
    """Find and read it; errors as for `find_config` and `text_of`."""
    path = find_config(config=config, home=home, environ=environ, cwd=cwd)
    if path is None or not lies_about(path, config=config, home=home, environ=environ, cwd=cwd):
        return _read(path)
    text = _looked_into(path)
    trust = Trust.UNKNOWN if text is None else TrustedFiles(home).of(path, text)
    if text is not None and trust is Trust.TRUSTED:
        return Counting(path, text)
    kept = None if is_usual(home) else home
    untrusted = Untrusted(path=path, changed=trust is Trust.CHANGED, home=kept)
    own = home / FILE_NAME
    return _read(own if own.exists() else None)._replace(untrusted=untrusted)


def _read(path: Path | None) -> Counting:
    return Counting(None) if path is None else Counting(path, text_of(path))


def _looked_into(path: Path) -> str | None:
    """Its text; None where it has none that could be trusted, such as a pipe, which would be waited for for ever."""
    try:
        return text_of(path) if path.is_file() else None
    except ConfigurationError:
        return None
