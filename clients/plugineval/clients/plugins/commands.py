"""Where a registered command is: on PATH, or beside the running interpreter, without a shell.

The second place makes a plugin that was installed into the same virtual environment work without activating it.
"""

import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError


def resolve_command(registration: PluginRegistration, environment: Mapping[str, str]) -> str:
    """The absolute path of the command; `PluginUnavailableError` says where it was sought."""
    command = str(Path(registration.command or "").expanduser())
    if Path(command).name != command:
        return _of_path(registration, command)
    places = [environment.get("PATH", ""), str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    for place in places:
        found = shutil.which(command, path=place) if place else None
        if found is not None:
            return str(Path(found).absolute())
    raise PluginUnavailableError(
        f"the command {command!r} was found neither on PATH nor in {places[1]}",
        field=f"{registration.field}.command",
        next_step=f"install what provides {command!r}, or write its absolute path",
    )


def _of_path(registration: PluginRegistration, command: str) -> str:
    found = shutil.which(str(Path(command).absolute()))
    if found is None:
        raise PluginUnavailableError(
            f"there is no executable file {command!r}",
            field=f"{registration.field}.command",
            next_step="write the absolute path of an executable file",
        )
    return found
