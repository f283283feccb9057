"""Loopback alone: a local model has no key, and is for this machine."""

import socket

from plugineval.pccf.errors import ConfigurationError

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """A socket on loopback, free port for 0; `ConfigurationError` where the port is taken."""
    try:
        return socket.create_server((HOST, port), backlog=128)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {HOST}:{port}: {error.strerror or error}",
            field="--port",
            next_step="give another --port, or 0 for a free one",
        ) from error
