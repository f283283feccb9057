"""The bearer token of the HTTP server: from the environment, or made once and kept in a file of its owner."""

import hmac
from collections.abc import Mapping
from pathlib import Path

from mcp.server.auth.provider import AccessToken

from plugineval.server.app.kept_secrets import SecretKind

VARIABLE = "PLUGINEVAL_TOKEN"
TOKEN = SecretKind(noun="token", variable=VARIABLE, minimum=16)
OWNER = "owner"
"""The client id of whoever has the server's own token: the person whose machine this is."""


def load_token(home: Path, environ: Mapping[str, str]) -> str:
    """The token of `PLUGINEVAL_TOKEN`, else of `home/http-token`, which is made (mode 0600) where there is none."""
    return TOKEN.load(token_path(home), environ)


def token_path(home: Path) -> Path:
    """Where the made token is kept."""
    return home / "http-token"


class StaticTokenVerifier:
    """Accepts exactly one token; the comparison takes the same time whatever was sent."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        """The owner's access token, or None."""
        if not hmac.compare_digest(token.encode(), self._token):
            return None
        return AccessToken(token=token, client_id=OWNER, scopes=[])
