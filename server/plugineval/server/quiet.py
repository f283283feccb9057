"""Loggers that quote what plugins say are silent here: what a plugin does wrong is an observation, without secrets."""

import logging

_QUOTING = ("client", "mcp.client")
"""Of the side of the SDK that talks to plugins."""


def silence_quoting_loggers() -> None:
    """For the rest of this process."""
    for name in _QUOTING:
        logging.getLogger(name).setLevel(logging.CRITICAL)
