"""Secrets that are planted in every place where one can be, and the search for them in everything that comes out.

The search knows its own spellings and shares nothing with the code that strikes secrets out.
"""

import base64
import html
import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import quote, quote_plus

MODEL_KEY = "canary-Mk1-8f3a9Qz2"
JUDGE_KEY = "canary-Jk2-5d7bX0w4"
DEFAULT_KEY = "canary-Dk3-1c9eR6t8"
MODEL_HEADER = "canary-Mh4-2a4fV3y5"
MODEL_PASSWORD = "canary-Mp5-6b8dN1u7"
MODEL_QUERY_KEY = "canary-Mq6-9e0cB4i6"
BODY_TOKEN = "canary-Bt7-3f5aM2o8"
PLUGIN_VARIABLE = "canary-Pv8-7d1bC9p0"
ODD_VARIABLE = 'canary "Po9" \\ 4e/ä & 6'
PLUGIN_ARGUMENT = "canary-Pa0-0c2eL5s1"
PLUGIN_HEADER = "canary-Ph1-5a6fK8d3"
PLUGIN_PASSWORD = "canary-Pp2-8b9dJ7f4"
PLUGIN_QUERY_KEY = "canary-Pq3-1e3cH0g5"
ERRAND_TOKEN = "canary-Et4-4f7aG6h7"
SHELL_SECRET = "canary-Ss5-9d5bF3j8"
SERVER_TOKEN = "canary-St6-2c8eD1k9"

PLANTED: dict[str, str] = {
    name: value for name, value in list(globals().items()) if name.isupper() and "canary" in value
}
ENVIRONMENT = {
    "FAST_API_KEY": MODEL_KEY,
    "JUDGE_API_KEY": JUDGE_KEY,
    "OPENAI_API_KEY": DEFAULT_KEY,
    "GATE_TOKEN": MODEL_HEADER,
    "GATE_PASSWORD": MODEL_PASSWORD,
    "GATE_KEY": MODEL_QUERY_KEY,
    "BODY_TOKEN": BODY_TOKEN,
    "NOTES_TOKEN": PLUGIN_VARIABLE,
    "NOTES_PASSPHRASE": ODD_VARIABLE,
    "NOTES_KEY": PLUGIN_ARGUMENT,
    "REMOTE_TOKEN": PLUGIN_HEADER,
    "REMOTE_PASSWORD": PLUGIN_PASSWORD,
    "REMOTE_KEY": PLUGIN_QUERY_KEY,
    "RESET_TOKEN": ERRAND_TOKEN,
    "AWS_SECRET_ACCESS_KEY": SHELL_SECRET,
    "PLUGINEVAL_TOKEN": SERVER_TOKEN,
}
"""Everything but the odd one under the name that the settings refer to; one that nobody refers to; the server's own."""


def spellings(secret: str) -> dict[str, bytes]:
    """How a secret may look: what it is called -> its bytes."""
    data = secret.encode()
    found = {
        "plain": secret,
        "capitals": secret.upper(),
        "small": secret.lower(),
        "json": json.dumps(secret)[1:-1],
        "json, not escaped": json.dumps(secret, ensure_ascii=False)[1:-1],
        "json in json": json.dumps(json.dumps(secret))[3:-3],
        "code points": "".join(f"\\u{ord(character):04x}" for character in secret),
        "html": html.escape(secret),
        "repr": repr(secret)[1:-1],
        "url": quote(secret, safe=""),
        "form": quote_plus(secret),
        "hex": data.hex(),
        # What stays at a cut.
        "beginning": secret[:14],
        "end": secret[-8:],
    }
    for before in range(3):
        for kind, encode in (("base64", base64.b64encode), ("base64url", base64.urlsafe_b64encode)):
            whole = encode(b"x" * before + data + b"xx").decode()
            found[f"{kind} after {before}"] = whole[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
    return {kind: text.encode() for kind, text in found.items()}


def leaks_in(data: bytes, planted: Mapping[str, str] = PLANTED) -> list[str]:
    """Which secrets stand in `data`, and how they are spelled there."""
    return [
        f"{name} ({kind})"
        for name, secret in planted.items()
        for kind, form in spellings(secret).items()
        if form in data
    ]


def leaks_below(folder: Path, *, apart_from: Iterable[Path] = ()) -> list[str]:
    """The same for every file below `folder`, names included, and for every cell of a database."""
    left_out = {path.resolve() for path in apart_from}
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.resolve() in left_out or not path.is_file():
            continue
        data = str(path).encode() + path.read_bytes()
        if path.suffix == ".db":
            # A long value lies in pages that do not follow each other.
            data += cells_of(path)
        found += [f"{path.relative_to(folder)}: {leak}" for leak in leaks_in(data)]
    return found


def cells_of(database: Path) -> bytes:
    """Every value of every table, one a line."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [row for table in tables for row in connection.execute(f'SELECT * FROM "{table}"')]
    connection.close()
    cells = [cell for row in rows for cell in row]
    return b"\n".join(cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells)
