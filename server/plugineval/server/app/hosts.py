"""Which names a request may use for this server: a web page that makes a name point here must not get through.

The SDK checks Host and Origin on loopback alone. Here they are checked wherever the server listens: against the names
and addresses of this machine, and against what a person lists.
"""

import ipaddress
import socket
from collections.abc import Iterable, Mapping

from mcp.server.transport_security import TransportSecuritySettings

VARIABLE = "PLUGINEVAL_ALLOWED_HOSTS"
"""Further names, separated by commas: of a proxy in front, or of this machine on another network."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def security_of(host: str, environ: Mapping[str, str]) -> TransportSecuritySettings:
    """The Host and Origin headers that a server on `host` accepts, on any port."""
    listed = [name.strip() for name in environ.get(VARIABLE, "").split(",") if name.strip()]
    own = () if is_loopback(host) else _own(host)
    hosts = [in_url(name) for name in (*LOOPBACK, *own, *listed)]
    return TransportSecuritySettings(
        allowed_hosts=[each for name in hosts for each in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{each}" for name in hosts for scheme in ("http", "https") for each in (name, f"{name}:*")
        ],
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def in_url(host: str) -> str:
    """The host as a URL spells it."""
    return f"[{host}]" if ":" in host else host


def _own(host: str) -> Iterable[str]:
    """The name that was listened on; where that is all of them, every name and address of this machine."""
    try:
        everywhere = ipaddress.ip_address(host).is_unspecified
    except ValueError:
        everywhere = False
    if not everywhere:
        return [host]
    import psutil

    addresses = (
        address.address.split("%")[0]
        for interface in psutil.net_if_addrs().values()
        for address in interface
        if address.family in (socket.AF_INET, socket.AF_INET6)
    )
    return [socket.gethostname(), *addresses]
