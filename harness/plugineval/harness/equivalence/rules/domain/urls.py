"""Web addresses, normalised as RFC 3986 section 6 allows without asking the server.

Scheme and host ignore case, default ports and an empty path are spelled in two ways, percent-encoding of plain letters
is noise. http and https, another host, another path are different. What only the server knows (www., a trailing
slash, a fragment) is unsure.
"""

import re
from functools import lru_cache
from posixpath import normpath
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, quote, unquote_to_bytes, urlsplit

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.shapes import shapes
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_PORTS = {"http": 80, "https": 443, "ftp": 21, "ws": 80, "wss": 443, "ssh": 22}
_ESCAPE = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_BARE = re.compile(r"(?:[a-z0-9\-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid")


class Address(NamedTuple):
    """The normalised parts of a web address; an absent scheme is empty."""

    scheme: str
    user: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two web addresses: by their schemes, or by the argument where a scheme was left out."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    with_scheme = [Kind.URL in shapes(text) for text in (gold, predicted)]
    if not all(with_scheme) and not (Kind.URL in hints(place) and all(map(_is_web, (gold, predicted)))):
        return None
    first, second = read(gold), read(predicted)
    return _compare(first, second) if first and second else None


def _is_web(text: str) -> bool:
    return Kind.URL in shapes(text) or bool(_BARE.fullmatch(text.strip()))


@lru_cache(maxsize=2048)
def read(text: str) -> Address | None:
    """The normalised address; None where its host or port cannot be read."""
    stripped = text.strip()
    try:
        parts = urlsplit(stripped if "://" in stripped else f"//{stripped}")
        port = parts.port
    except ValueError:
        return None
    user = parts.netloc.rpartition("@")[0]
    scheme = parts.scheme.lower()
    return Address(
        scheme, user, _host(parts), port or _PORTS.get(scheme), _path(parts.path), _escapes(parts.query), parts.fragment
    )


def _host(parts: SplitResult) -> str:
    host = (parts.hostname or "").removesuffix(".")
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _path(path: str) -> str:
    escaped = _escapes(path) or "/"
    if "/./" not in f"{escaped}/" and "/../" not in f"{escaped}/":
        return escaped
    slash = "/" if escaped.endswith(("/", "/.", "/..")) else ""
    return normpath(escaped).rstrip("/") + slash or "/"


def _escapes(text: str) -> str:
    """Percent-encode what must be, decode the unreserved, and write hexadecimal digits in upper case."""
    settled = _ESCAPE.sub(_unreserved, text)
    return quote(settled, safe="%/?#[]@!$&'()*+,;=:~-._")


def _unreserved(found: re.Match[str]) -> str:
    return quote(unquote_to_bytes(found[0]), safe="~-._")


def _compare(gold: Address, predicted: Address) -> Ruling:
    if gold == predicted:
        return equal("urls.normalised", "the same address after normalisation")
    certain = _certainly(gold, predicted)
    if certain:
        return different(*certain)
    if gold._replace(query="") == predicted._replace(query="") and _reordered(gold.query, predicted.query):
        return equal("urls.query_order", "the same parameters, each given once, in another order", semantic=True)
    return unsure("urls.server", "only the server knows: www., a scheme, a slash, a fragment or the form of a query")


def _certainly(gold: Address, predicted: Address) -> tuple[str, str] | None:
    """The rule and the reason of the first part that names another resource."""
    same_scheme = gold.scheme == predicted.scheme
    parts = (
        (gold.host.removeprefix("www.") != predicted.host.removeprefix("www."), "host"),
        (bool(gold.scheme and predicted.scheme) and not same_scheme, "scheme"),
        (gold.user != predicted.user, "user"),
        (same_scheme and gold.port != predicted.port, "port"),
        (_bare_path(gold.path) != _bare_path(predicted.path), "path"),
        (_parameters(gold.query) != _parameters(predicted.query), "query"),
        (bool(gold.fragment and predicted.fragment) and gold.fragment != predicted.fragment, "fragment"),
    )
    return next(((f"urls.{part}", f"another {part}") for differs, part in parts if differs), None)


def _bare_path(path: str) -> str:
    return re.sub(r"/(?:index\.\w{3,5})?$", "", path)


def _reordered(gold: str, predicted: str) -> bool:
    parts = gold.split("&")
    names = {part.partition("=")[0] for part in parts}
    return len(names) == len(parts) and sorted(parts) == sorted(predicted.split("&"))


def _parameters(query: str) -> list[tuple[str, str]]:
    return sorted(
        (name, value) for name, value in parse_qsl(query, keep_blank_values=True) if not _TRACKING.fullmatch(name)
    )
