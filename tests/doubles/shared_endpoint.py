"""An endpoint that is strict about its rate, and processes that measure a model on it together."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path

from doubles.cli import addition, cases_file, obedient
from doubles.openai_server import Document, OpenAIServer, Reply, refusal

WARM = 10
"""Answers at the beginning and at the end that no rate is computed from."""


@dataclass
class Strict:
    """Answers `per_s` calls a second and `burst` at once, and refuses those beyond."""

    per_s: float
    burst: float
    retry_after_s: float = 1.0
    answered: list[float] = field(default_factory=list[float])
    refused: list[float] = field(default_factory=list[float])
    _level: float = 0.0
    _at: float = 0.0

    def answer(self, request: Document) -> Reply:
        """Do what the query spells, or refuse for the rate."""
        now = time.monotonic()
        self._level = max(0.0, self._level - (now - self._at) * self.per_s)
        self._at = now
        if self._level + 1 > self.burst:
            self.refused.append(now)
            return refusal(429, "too many", headers=[("retry-after", str(self.retry_after_s))])
        self._level += 1
        self.answered.append(now)
        return obedient(request)

    @property
    def rate(self) -> float:
        """Answers a second, the first and the last few apart."""
        inner = self.answered[WARM:-WARM]
        return (len(inner) - 1) / (inner[-1] - inner[0])


def settings_file(folder: Path, server: OpenAIServer, url: str, **limits: float) -> Path:
    """Settings of the model `fast` at `server` with `limits`, on the database `url`."""
    said = "".join(f"{name} = {value}\n" for name, value in limits.items())
    path = folder / "plugineval.toml"
    path.write_text(
        f"[store]\nurl = {json.dumps(url)}\nshare_limits = true\n"
        f'[models.fast]\nmodel = "m"\nbase_url = {json.dumps(server.base_url)}\n{said}'
    )
    return path


def additions(folder: Path, count: int) -> Path:
    """A file of as many cases."""
    return cases_file(folder, [addition(f"c{number}", number) for number in range(count)])
