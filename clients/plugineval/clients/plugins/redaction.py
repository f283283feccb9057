"""Secrets never appear in a trace: what a person gave a plugin is struck out of everything the plugin says.

Where a sandbox copy lies is no secret, but is different each time: it is replaced by what copies are called.

A value is struck out as it is and as it looks inside JSON, in a URL and in base64; the long lines of a key file and
the token of an `Authorization` header also on their own. Values under four characters are no secrets: striking out
every `1` would falsify the results that are judged.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from pydantic import SecretStr

from plugineval.clients.plugins.sandbox import SHOWN
from plugineval.pccf.values import Json

MASK = "[secret]"
SHORTEST = 4
SHORTEST_LINE = 16


class Redactor:
    """Strikes the given secrets out of texts and JSON values, and names the copies that lie below `copies`."""

    def __init__(self, secrets: Iterable[SecretStr] = (), *, copies: Path | None = None) -> None:
        forms = {form for secret in secrets for form in _forms(secret.get_secret_value())}
        self._forms = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._forms)))
        self._roots = [] if copies is None else sorted(_spellings(str(copies)), key=len, reverse=True)
        # Two folders below the root is the copy; on Windows a separator may be escaped.
        self._copy = re.compile(rf"(?:{'|'.join(map(re.escape, self._roots))})(?:[\\/]+[0-9a-f]+){{2}}[\\/]+data")

    def text(self, value: str) -> str:
        """The text without secrets."""
        # A plain search is many times faster than the pattern, and nearly always finds nothing.
        if any(root in value for root in self._roots):
            value = self._copy.sub(SHOWN, value)
        found = any(form in value for form in self._forms)
        return self._pattern.sub(MASK, value) if found else value

    def json(self, value: Json) -> Json:
        """The value without secrets in its strings and keys; the value itself where there are no secrets."""
        return self._walk(value) if self._forms or self._roots else value

    def _walk(self, value: Json) -> Json:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._walk(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self._walk(item) for key, item in value.items()}
        return value


def _forms(secret: str) -> Iterator[str]:
    parts = [secret.strip(), *(line for line in secret.splitlines() if len(line) >= SHORTEST_LINE)]
    scheme, _, token = secret.strip().partition(" ")
    if scheme.lower() in {"bearer", "basic", "token"}:
        parts.append(token.strip())
    for part in parts:
        if len(part) >= SHORTEST:
            yield from _spellings(part)
            yield base64.b64encode(part.encode()).decode().rstrip("=")


def _spellings(part: str) -> set[str]:
    """As it is, inside JSON, and in a URL."""
    in_json = (json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1])
    return {part, *in_json, quote(part, safe=""), quote(part)}
