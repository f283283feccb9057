"""An OAuth issuer on loopback: it publishes its metadata and keys, and signs whatever a test wants signed."""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

KEY_ID = "k1"


class Issuer:
    """`url` is its name. `asked` are the paths that were fetched."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[str] = []
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def token(self, resource: str, subject: str = "ada", **changed: object) -> str:
        """A token for that resource; `changed` claims win, and None takes one out."""
        now = int(time.time())
        claims: dict[str, object] = {"iss": self.url, "aud": resource, "sub": subject, "iat": now, "exp": now + 600}
        said = {name: value for name, value in (claims | changed).items() if value is not None}
        return jwt.encode(said, self._key, algorithm="RS256", headers={"kid": KEY_ID})

    def forged(self, resource: str) -> str:
        """The same claims under the same name of a key, signed by somebody else."""
        claims = jwt.decode(self.token(resource), options={"verify_signature": False})
        return jwt.encode(claims, self.stranger, algorithm="RS256", headers={"kid": KEY_ID})

    def page(self, path: str) -> dict[str, object] | None:
        """What a path says."""
        self.asked.append(path)
        if path == "/.well-known/oauth-authorization-server":
            return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
        if path == "/keys":
            public = cast("dict[str, Any]", json.loads(RSAAlgorithm.to_jwk(self._key.public_key())))
            return {"keys": [{**public, "kid": KEY_ID, "use": "sig", "alg": "RS256"}]}
        return None


@contextmanager
def issuing() -> Generator[Issuer]:
    """An issuer that answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    issuer = _Handler.issuers[server.server_port] = Issuer(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    issuers: dict[int, Issuer] = {}

    def do_GET(self) -> None:
        assert isinstance(self.server, ThreadingHTTPServer)
        page = self.issuers[self.server.server_port].page(self.path)
        body = json.dumps(page or {}).encode()
        self.send_response(404 if page is None else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""
