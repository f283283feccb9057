"""An open store: on a file in a directory of its own, and on an empty database of a server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from doubles.postgres import Postgres
from plugineval.server.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "home" / "plugineval.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, place: Path) -> str:
    """A path or a URL; every test that asks for it is run on both databases."""
    if request.param == "sqlite":
        return str(place)
    server = request.getfixturevalue("postgres")
    assert isinstance(server, Postgres)
    return server.create()


@pytest.fixture
async def store(where: str) -> AsyncIterator[Store]:
    async with Store.open(where) as opened:
        yield opened
