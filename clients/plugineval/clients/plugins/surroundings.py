"""What a plugin's process finds around itself: a few harmless variables, the registered ones, and folders of its own.

Nothing else of our environment reaches it, so a key that lies in the shell is not a key of every plugin.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError

LOCALE_CATEGORIES = (
    "ALL",
    "COLLATE",
    "CTYPE",
    "MESSAGES",
    "MONETARY",
    "NUMERIC",
    "TIME",
    "ADDRESS",
    "IDENTIFICATION",
    "MEASUREMENT",
    "NAME",
    "PAPER",
    "TELEPHONE",
)
"""Those of POSIX, then those that glibc adds: whatever else is called `LC_*` is no locale and may be a secret."""
PASSED_ON = frozenset(
    {
        "PATH",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "NUMBER_OF_PROCESSORS",
        *(f"LC_{category}" for category in LOCALE_CATEGORIES),
    }
)


class Folders(NamedTuple):
    """The places of one plugin: where it works, what it calls its home, and what it said on stderr."""

    work: Path
    home: Path
    stderr: Path


def prepare_folders(registration: PluginRegistration, home: Path) -> Folders:
    """Create `home/plugins/<name>/{work,home}`, readable by this user alone; `work` is the registered `cwd` if set."""
    own = home / "plugins" / registration.name
    folders = Folders(work=registration.cwd or own / "work", home=own / "home", stderr=own / "stderr.log")
    try:
        for folder in (own.parent, own, own / "work", folders.home):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.chmod(0o700)
    except OSError as error:
        raise PluginUnavailableError(
            f"its folder {own} cannot be written: {error.strerror or error}",
            field=registration.field,
            next_step="free the disk or choose another home directory",
        ) from error
    if not folders.work.is_dir():
        raise PluginUnavailableError(
            f"its working directory {folders.work} does not exist",
            field=f"{registration.field}.cwd",
            next_step="create it, or leave cwd out to get an empty one",
        )
    return folders


def environment(registration: PluginRegistration, folders: Folders, inherited: Mapping[str, str]) -> dict[str, str]:
    """The whole environment of the child: the allow-list out of `inherited`, its HOME, then the registered values."""
    passed = {name: value for name, value in inherited.items() if name.upper() in PASSED_ON}
    home = {"USERPROFILE" if os.name == "nt" else "HOME": str(folders.home)}
    own = {name: value.get_secret_value() for name, value in registration.env.items()}
    return passed | home | own
