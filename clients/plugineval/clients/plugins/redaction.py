"""Secrets never appear in a trace: what a person gave a plugin is struck out of everything the plugin says, and so is
every other secret known here, which a plugin may have found on its own.

Where a sandbox copy lies is no secret, but is different each time: it is replaced by what copies are called.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from pydantic import SecretStr

from plugineval.clients.plugins.sandbox import SHOWN
from plugineval.clients.redaction import SHORTEST as SHORTEST_OF_OTHERS
from plugineval.clients.redaction import Redactor as Searcher
from plugineval.clients.redaction import spelled, walked
from plugineval.pccf.values import Json

MASK = "[secret]"
SHORTEST = 4
"""Of a value that was given to the plugin: it is a secret because a person put it where secrets are."""


class Redactor:
    """Strikes the given secrets out of texts and JSON values, and names the copies that lie below `copies`."""

    def __init__(
        self, secrets: Iterable[SecretStr] = (), *, others: Iterable[SecretStr] = (), copies: Path | None = None
    ) -> None:
        """`secrets` were given to the plugin; `others` were not, and short ones of them are not looked for."""
        given = [each.get_secret_value() for each in secrets]
        foreign = [each.get_secret_value() for each in others]
        self._secrets = Searcher(
            [*given, *(each for each in foreign if len(each) >= SHORTEST_OF_OTHERS)], mask=MASK, shortest=SHORTEST
        )
        self._roots = [] if copies is None else sorted(spelled(str(copies)), key=len, reverse=True)
        # Two folders below the root is the copy; on Windows a separator may be escaped.
        self._copy = re.compile(rf"(?:{'|'.join(map(re.escape, self._roots))})(?:[\\/]+[0-9a-f]+){{2}}[\\/]+data")

    def text(self, value: str) -> str:
        """The text without secrets."""
        # A plain search is many times faster than the pattern, and nearly always finds nothing.
        if any(root in value for root in self._roots):
            value = self._copy.sub(SHOWN, value)
        return self._secrets.text(value)

    def json(self, value: Json) -> Json:
        """The value without secrets in its strings and keys; the value itself where there is nothing to look for."""
        return walked(value, self.text) if self._secrets or self._roots else value

    def secrets(self, data: bytes) -> bytes:
        """What came over a wire and cannot be read, without secrets; the same object where there are none."""
        return self._secrets.data(data)
