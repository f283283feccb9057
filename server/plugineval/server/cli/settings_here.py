"""The settings that count for one command line, read once; nothing else comes with them."""

import os
from pathlib import Path

from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.terminal import say_line
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.settings import Settings


def read_settings(shared: SharedOptions) -> Settings:
    """The settings that count here; a file that would count if it were trusted is told of on stderr."""
    settings = load_settings(config=shared.config, home=shared.home, environ=os.environ, cwd=Path.cwd())
    if settings.untrusted is not None:
        say_line(f"{settings.untrusted.sentence}.")
    return settings
