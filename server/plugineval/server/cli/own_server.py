"""The server that hosts are told to start: this installation, in this home, with the settings that count here."""

import json
import os
import sys
import tomllib
from pathlib import Path

from plugineval.clients.hosts.known_hosts import Around
from plugineval.clients.hosts.own_entry import OwnServer, own_command
from plugineval.clients.models.access import DEFAULT_KEY_ENV
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.settings.locations import CONFIG_VARIABLE, FILE_NAME, HOME_VARIABLE
from plugineval.server.settings.references import references_in
from plugineval.server.settings.settings import Settings

_OF_ENDPOINT = "openai:"
_ALWAYS_THERE = frozenset({"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "APPDATA", "USERPROFILE", "TEMP", "TMP"})
"""Every host hands these over."""


def own_server(shared: SharedOptions) -> tuple[OwnServer, Settings]:
    """The server, and the settings that it will read; `ConfigurationError` where those are not sound."""
    settings = read_settings(shared)
    environment = {HOME_VARIABLE: str(settings.home.absolute())}
    # A host starts the server in a folder of its own: what is found by itself here is not found from there.
    if settings.source is not None and settings.source != settings.home / FILE_NAME:
        environment[CONFIG_VARIABLE] = str(settings.source.absolute())
    server = OwnServer(command=own_command(), environment=environment, variables=_variables(settings))
    return server, settings


def around_here() -> Around:
    """Where this process looks for hosts."""
    return Around(folder=Path.cwd(), home=Path.home(), platform=sys.platform, environ=dict(os.environ))


def _variables(settings: Settings) -> tuple[str, ...]:
    """Every variable that the settings take anything from."""
    text = "" if settings.source is None else settings.source.read_text(encoding="utf-8-sig")
    # Read anew: a reference in a comment, as in a starter file, is none.
    written = references_in(json.dumps(tomllib.loads(text), default=str))
    keys = (model.api_key_env or ("" if model.base_url else DEFAULT_KEY_ENV) for model in settings.models.values())
    players = [player for models in settings.roles.assigned.values() for player in models]
    spoken = DEFAULT_KEY_ENV if any(player.startswith(_OF_ENDPOINT) for player in players) else ""
    return tuple(name for name in dict.fromkeys((*written, *keys, spoken)) if name and name not in _ALWAYS_THERE)
