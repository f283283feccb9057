"""A database of its own for every fleet, and an endpoint that counts."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from doubles.cli import endpoint
from doubles.fleet import Asked, Fleet, Times
from doubles.forks import Forks
from doubles.postgres import Postgres


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """What starts commands."""
    started = Forks(tmp_path_factory.mktemp("streams"))
    yield started
    started.close()


@pytest.fixture
def asked() -> Asked:
    """What the endpoint was asked."""
    return Asked()


@pytest.fixture
def assembled(
    forks: Forks, postgres: Postgres, tmp_path: Path, asked: Asked
) -> Iterator[Callable[[Times, float], Fleet]]:
    """Make a fleet with other times than usual, whose endpoint answers after so many seconds."""
    with ExitStack() as stack:

        def make(times: Times, latency_s: float) -> Fleet:
            server = stack.enter_context(endpoint(asked))
            server.latency_s = latency_s
            made = Fleet(forks, tmp_path, postgres.create(), server, times)
            stack.callback(made.close)
            return made

        yield make


@pytest.fixture
def fleet(assembled: Callable[[Times, float], Fleet]) -> Fleet:
    """A fleet without workers yet."""
    return assembled(Times(), 0.02)
