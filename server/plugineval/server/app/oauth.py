"""OAuth in front of the HTTP server: which issuer's tokens are taken in place of the server's own.

`PLUGINEVAL_ISSUER` names the authorization server; clients find it through the metadata that the SDK publishes.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from mcp.server.auth.settings import AuthSettings
from pydantic import AnyHttpUrl, ValidationError

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.app.hosts import is_loopback

ISSUER, RESOURCE = "PLUGINEVAL_ISSUER", "PLUGINEVAL_RESOURCE"
KEYS, SCOPES = "PLUGINEVAL_JWKS", "PLUGINEVAL_SCOPES"


class OAuth(Value):
    """The authorization server whose tokens are accepted."""

    issuer: str
    resource: str
    """The URL under which clients reach this server; the audience of their tokens."""
    keys: str = ""
    """Where the issuer's keys are; empty: where its metadata says."""
    scopes: tuple[str, ...] = ()
    """All of them are needed."""

    @classmethod
    def of(cls, environ: Mapping[str, str], *, resource: str) -> "OAuth | None":
        """What the environment says; None where it names no issuer. `ConfigurationError` for what is no URL."""
        issuer = environ.get(ISSUER, "").strip()
        if not issuer:
            return None
        found = cls(
            issuer=issuer,
            resource=environ.get(RESOURCE, "").strip() or resource,
            keys=environ.get(KEYS, "").strip(),
            scopes=tuple(environ.get(SCOPES, "").replace(",", " ").split()),
        )
        for name, url in ((ISSUER, found.issuer), (RESOURCE, found.resource), (KEYS, found.keys)):
            if url:
                require_encrypted(name, url)
        return found

    @property
    def settings(self) -> AuthSettings:
        """The same for the SDK, which publishes it as the metadata of a protected resource (RFC 9728)."""
        return AuthSettings(
            issuer_url=AnyHttpUrl(self.issuer),
            resource_server_url=AnyHttpUrl(self.resource),
            required_scopes=list(self.scopes) or None,
            # The audience is checked with the signature.
            validate_token_resource=False,
        )


def require_encrypted(name: str, url: str) -> None:
    """Keys and tokens travel encrypted, or do not leave this machine; `ConfigurationError` otherwise."""
    step = "write it with https, or http on this machine alone"
    try:
        host = AnyHttpUrl(url).host or ""
    except ValidationError as error:
        raise ConfigurationError(f"{url!r} is no URL", field=name, next_step=step) from error
    if urlsplit(url).scheme != "https" and not is_loopback(host.strip("[]")):
        raise ConfigurationError(f"{url!r} is not encrypted", field=name, next_step=step)
