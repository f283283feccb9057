"""A home in which a secret stands wherever one can be, an endpoint that says them all back, and an environment."""

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

import pytest

from doubles.canaries import ENVIRONMENT
from doubles.cli import endpoint
from doubles.echoing import echo, planted_home
from doubles.openai_server import OpenAIServer


class Planted(NamedTuple):
    """The home and the endpoint."""

    home: Path
    server: OpenAIServer


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Generator[Planted]:
    """Both, with the environment set as long as they live."""
    found: list[OpenAIServer] = []
    with pytest.MonkeyPatch.context() as patch, endpoint(echo(lambda: found[0])) as server:
        found.append(server)
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        patch.delenv("OPENAI_BASE_URL", raising=False)
        yield Planted(planted_home(tmp_path_factory.mktemp("planted") / "home", server.base_url), server)
