"""Shows a part of somebody's configuration without the secrets in it."""

import json
import re
from collections.abc import Iterable, Iterator

from plugineval.clients.secret_shapes import looks_secret
from plugineval.pccf.values import Json

MASK = "***"
_REFERENCE = re.compile(r"\$\{[^}]*\}")
_FLAG = re.compile(r"--?([A-Za-z][\w-]*)(?:=(.+))?", re.DOTALL)


def masked(text: str, documents: Iterable[Json]) -> str:
    """`text` with every secret of the documents struck out, as JSON writes them."""
    found = {secret for document in documents for secret in _secrets("", document)}
    for secret in sorted(found, key=len, reverse=True):
        for ascii_only in (True, False):
            text = text.replace(json.dumps(secret, ensure_ascii=ascii_only)[1:-1], MASK)
    return text


def _secrets(name: str, part: Json) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _secrets(key, value)
    elif isinstance(part, list):
        yield from _listed(part)
    elif isinstance(part, str) and len(part) > 3 and not _REFERENCE.search(part) and looks_secret(name, part):
        yield part


def _listed(values: list[Json]) -> Iterator[str]:
    """Of a command line a value may be told to be secret by the flag that it follows or belongs to."""
    flag = ""
    for value in values:
        found = _FLAG.fullmatch(value) if isinstance(value, str) else None
        if found is None:
            yield from _secrets(flag, value)
        elif found[2]:
            yield from _secrets(found[1], found[2])
        flag = found[1] if found and not found[2] else ""
