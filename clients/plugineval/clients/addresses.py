"""What of an address may be shown: keys hide in every part of one but scheme, host and port."""

from urllib.parse import parse_qsl, unquote, urlsplit

from plugineval.clients.secret_shapes import looks_random, looks_secret


def place_of(url: str) -> str:
    """Scheme, host and port alone; `an address` where it is none."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "an address"
    if not parts.scheme or not host:
        return "an address"
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port else "")


def secrets_in(url: str) -> tuple[str, ...]:
    """The password (or a user without one, as tokens are sent), the values of a query that go by the name of a key or
    look like one, and path segments that do: each as it is written and as it is meant.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return (url,)
    login = parts.netloc.rpartition("@")[0]
    user, _, password = login.partition(":")
    pieces = [login, password or user]
    pieces += [value for name, value in parse_qsl(parts.query) if looks_secret(name, value)]
    pieces += [segment for segment in parts.path.split("/") if looks_random(segment)]
    return tuple(dict.fromkeys(form for piece in pieces for form in (piece, unquote(piece)) if form))


def carries_secrets(url: str) -> bool:
    """Whether `url` must not be kept or shown."""
    return bool(secrets_in(url))
