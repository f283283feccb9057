"""Keys and header values never reach a record: they are blotted out of every detail and trace.

Text shorter than six characters is not taken for a secret: blotting it out would destroy harmless words.
"""

import re
from collections.abc import Iterable

from plugineval.pccf.values import Json

BLOT = "[redacted]"
SHORTEST_SECRET = 6
_SCHEME = re.compile(r"(?i:bearer|basic|token)\s+(\S+)")


class Redactor:
    """Removes the secrets it was given from texts and JSON values."""

    def __init__(self, secrets: Iterable[str]) -> None:
        pieces = {piece for secret in secrets for piece in (secret, *_SCHEME.findall(secret))}
        found = sorted((p for p in pieces if len(p) >= SHORTEST_SECRET), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, found))) if found else None

    def text(self, text: str) -> str:
        """`text` without secrets."""
        return self._pattern.sub(BLOT, text) if self._pattern else text

    def json(self, value: Json) -> Json:
        """`value` without secrets, in keys too."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.json(item) for item in value]
        if isinstance(value, dict):
            return {self.text(key): self.json(item) for key, item in value.items()}
        return value
