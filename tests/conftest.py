"""What every test shares: anyio on asyncio, a database server, and where the public data lies, if it does."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from doubles.postgres import Postgres

# The first example of a property often pays for an import; how long anything takes is measured elsewhere.
settings.register_profile("house", deadline=None)
settings.load_profile("house")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of public rows and bug-report cases; a test that needs it is skipped, visibly, where it is absent."""
    root = Path(os.environ.get("PLUGINEVAL_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    if not root.is_dir():
        pytest.skip(f"public data is not here: {root} (set PLUGINEVAL_SHARED)")
    return root


@pytest.fixture(scope="session")
def postgres() -> Generator[Postgres]:
    """A PostgreSQL server of the tests' own; skipped visibly where none is installed, unless it is demanded."""
    with Postgres.running() as server:
        yield server
