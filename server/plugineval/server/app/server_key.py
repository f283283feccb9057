"""The key of a server: seals what clients carry from one request to the next, and signs handles for who owns them.

All servers on one home share it, so that any of them goes on with what another one began; on several machines they
share `PLUGINEVAL_SERVER_KEY`. It is read, or made, when something first needs it.
"""

import hmac
from collections.abc import Mapping
from pathlib import Path

from mcp.server.request_state import AESGCMRequestStateCodec, RequestStateSecurity

from plugineval.server.app.kept_secrets import SecretKind
from plugineval.server.workspace import Workspace

KEY = SecretKind(noun="key", variable="PLUGINEVAL_SERVER_KEY", minimum=32)


def load_key(home: Path, environ: Mapping[str, str]) -> bytes:
    """The key of the environment, else that of `home/server-key`, which is made (mode 0600) where there is none."""
    return KEY.load(home / "server-key", environ).encode()


def signature(key: bytes, *parts: str) -> bytes:
    """What only who has the key can make of `parts`."""
    message = b"".join(len(part.encode()).to_bytes(4) + part.encode() for part in parts)
    return hmac.digest(key, message, "sha256")


def request_state_security(workspace: Workspace) -> RequestStateSecurity:
    """The seal of what a client carries between the rounds of one call."""
    return RequestStateSecurity(codec=_SharedSeal(workspace))


class _SharedSeal:
    """The SDK's own seal under the shared key; a server that never asks anything back makes no key."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._codec: AESGCMRequestStateCodec | None = None

    def seal(self, payload: bytes) -> str:
        """A token that only the key opens."""
        return self._opened().seal(payload)

    def unseal(self, token: str) -> bytes:
        """The payload; `InvalidRequestState` for any other token."""
        return self._opened().unseal(token)

    def _opened(self) -> AESGCMRequestStateCodec:
        if self._codec is None:
            key = load_key(self._workspace.settings.home, self._workspace.environ)
            self._codec = AESGCMRequestStateCodec([signature(key, "request state")])
        return self._codec
