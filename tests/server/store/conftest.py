"""An open store in a directory of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from plugineval.server.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "home" / "plugineval.db"


@pytest.fixture
async def store(place: Path) -> AsyncIterator[Store]:
    async with Store.open(place) as opened:
        yield opened
