"""Secrets never appear in a trace: what a person gave a plugin is struck out of everything the plugin says.

A value is struck out as it is and as it looks inside JSON, in a URL and in base64; the long lines of a key file and
the token of an `Authorization` header also on their own. Values under four characters are no secrets: striking out
every `1` would falsify the results that are judged.
"""

import base64
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from pydantic import SecretStr

from plugineval.pccf.values import Json

MASK = "[secret]"
SHORTEST = 4
SHORTEST_LINE = 16


class Redactor:
    """Strikes the given secrets out of texts and JSON values."""

    def __init__(self, secrets: Iterable[SecretStr] = ()) -> None:
        forms = {form for secret in secrets for form in _forms(secret.get_secret_value())}
        longest_first = sorted(forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def text(self, value: str) -> str:
        """The text without secrets."""
        return self._pattern.sub(MASK, value) if self._pattern is not None else value

    def json(self, value: Json) -> Json:
        """The value without secrets in its strings and keys; the value itself where there are no secrets."""
        return _walk(value, self._pattern) if self._pattern is not None else value


def _walk(value: Json, pattern: re.Pattern[str]) -> Json:
    if isinstance(value, str):
        return pattern.sub(MASK, value)
    if isinstance(value, list):
        return [_walk(item, pattern) for item in value]
    if isinstance(value, dict):
        return {pattern.sub(MASK, key): _walk(item, pattern) for key, item in value.items()}
    return value


def _forms(secret: str) -> Iterator[str]:
    parts = [secret.strip(), *(line for line in secret.splitlines() if len(line) >= SHORTEST_LINE)]
    scheme, _, token = secret.strip().partition(" ")
    if scheme.lower() in {"bearer", "basic", "token"}:
        parts.append(token.strip())
    for part in parts:
        if len(part) >= SHORTEST:
            yield part
            yield json.dumps(part)[1:-1]
            yield json.dumps(part, ensure_ascii=False)[1:-1]
            yield quote(part, safe="")
            yield base64.b64encode(part.encode()).decode().rstrip("=")
