"""The `[models.NAME]` table of a local server, ready to be pasted into the settings."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Served(NamedTuple):
    """A model that now answers at `base_url`."""

    name: str
    model: str
    base_url: str
    settings: tuple[str, ...] = ()
    """Further lines of its table."""

    @property
    def table(self) -> str:
        """TOML."""
        lines = [f"[models.{self.name}]", f'base_url = "{self.base_url}"', f'model = "{self.model}"', *self.settings]
        return "\n".join(lines)


Ready: TypeAlias = Callable[[Served], None]
"""Told once the model answers."""
