"""Tokens of an OAuth issuer: one counts if the issuer signed it for this resource, and it has not expired.

Keys are fetched from the issuer alone, never from an address that a token names, and not oftener than twice a minute,
whatever anybody sends.
"""

import logging
import time
from collections.abc import Mapping
from typing import cast
from urllib.parse import urlsplit

import anyio
import httpx2
import jwt
from mcp.server.auth.provider import AccessToken

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.app.oauth import OAuth, require_encrypted

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures that only the issuer can make; one with a shared secret is none of them."""
LONGEST = 16_000
"""Characters of a token that is looked at."""
PAUSE_S = 30.0
PATIENCE_S = 10.0
LEEWAY_S = 30
_METADATA = (".well-known/oauth-authorization-server", ".well-known/openid-configuration")

logger = logging.getLogger(__name__)


class IssuedTokens:
    """Verifies tokens of one issuer; whoever cannot be verified, for whatever reason, is nobody."""

    def __init__(self, oauth: OAuth) -> None:
        self._oauth = oauth
        self._keys: dict[str, jwt.PyJWK] = {}
        self._asked = -PAUSE_S
        self._lock = anyio.Lock()

    async def verify_token(self, token: str) -> AccessToken | None:
        """Who bears the token, or None."""
        if len(token) > LONGEST:
            return None
        try:
            key = await self._key(str(jwt.get_unverified_header(token).get("kid", "")))
            return None if key is None else self._bearer(token, self._claims(token, key))
        except (jwt.PyJWTError, ValueError) as error:
            logger.warning("a token was refused: %s", type(error).__name__)
            return None

    def _claims(self, token: str, key: jwt.PyJWK) -> dict[str, Json]:
        return jwt.decode(
            token,
            key,
            algorithms=list(ALGORITHMS),
            audience=self._oauth.resource,
            issuer=self._oauth.issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iss", "aud"]},
        )

    def _bearer(self, token: str, claims: Mapping[str, Json]) -> AccessToken:
        subject = str(claims["sub"]) if claims.get("sub") else None
        client = claims.get("client_id") or claims.get("azp") or subject or ""
        said = claims.get("scope") or claims.get("scp") or ""
        scopes = said if isinstance(said, list) else str(said).split()
        return AccessToken(
            token=token,
            # Nobody passes for the owner of this machine by a name that they chose.
            client_id=f"oauth:{client}",
            scopes=[str(scope) for scope in scopes],
            expires_at=int(cast("float", claims["exp"])),
            resource=self._oauth.resource,
            subject=subject,
            claims={"iss": self._oauth.issuer},
        )

    async def _key(self, name: str) -> jwt.PyJWK | None:
        async with self._lock:
            if name not in self._keys and time.monotonic() - self._asked >= PAUSE_S:
                self._asked = time.monotonic()
                self._keys = await self._fetched()
            return self._keys.get(name)

    async def _fetched(self) -> dict[str, jwt.PyJWK]:
        """The keys that the issuer has now; those known before where it does not answer."""
        async with httpx2.AsyncClient(timeout=PATIENCE_S, follow_redirects=False) as http:
            place = self._oauth.keys or await self._place(http)
            found = await _object(http, place) if place else {}
        if "keys" not in found:
            logger.warning("%s does not say what its keys are", self._oauth.issuer)
            return self._keys
        keys = jwt.PyJWKSet.from_dict(found).keys
        return {str(key.key_id or ""): key for key in keys if key.public_key_use in ("sig", None)}

    async def _place(self, http: httpx2.AsyncClient) -> str:
        """Where the keys are, as the issuer's metadata says (RFC 8414, OpenID Connect Discovery)."""
        for address in _metadata(self._oauth.issuer):
            found = await _object(http, address)
            place = str(found.get("jwks_uri", ""))
            if place and found.get("issuer") == self._oauth.issuer:
                try:
                    require_encrypted("jwks_uri", place)
                except ConfigurationError:
                    continue
                return place
        return ""


async def _object(http: httpx2.AsyncClient, address: str) -> dict[str, Json]:
    try:
        answer = await http.get(address)
        found: Json = answer.json() if answer.is_success else {}
    except (httpx2.HTTPError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _metadata(issuer: str) -> tuple[str, ...]:
    parts = urlsplit(issuer)
    root, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    inserted = tuple(f"{root}/{each}{path}" for each in _METADATA)
    return (*inserted, f"{root}{path}/{_METADATA[1]}") if path else inserted
