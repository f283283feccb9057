"""Job engines on a database of their own, with runners that do what a test tells them to."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext, Runner
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.settings.loading import load_settings
from plugineval.server.workspace import Workspace


class Gate:
    """A runner that says when it has started and goes on when it is let."""

    def __init__(self, result: Json = "through") -> None:
        self.entered = anyio.Event()
        self.open = anyio.Event()
        self.runs = 0
        self._result = result

    async def __call__(self, context: JobContext) -> Json:
        self.runs += 1
        context.progress(1, 2, "at the gate")
        self.entered.set()
        await self.open.wait()
        return self._result


def raising(error: Exception) -> Runner:
    """A runner that ends with `error`."""

    async def run(context: JobContext) -> Json:
        raise error

    return run


def workspace_of(home: Path) -> Workspace:
    """A workspace without a settings file."""
    return Workspace(load_settings(config=None, home=home, environ={}, cwd=home), environ={})


@asynccontextmanager
async def engine_of(home: Path, runner: Runner) -> AsyncGenerator[JobEngine]:
    """An engine whose jobs of kind `work` are done by `runner`."""
    home.mkdir(exist_ok=True)
    async with JobEngine.open(workspace_of(home), {"work": runner}) as engine:
        yield engine


async def paid(context: JobContext, name: str, make: Callable[[], Awaitable[Json]]) -> Json:
    """One call of a job, through its journal."""
    return await context.journal.call(CallKey(stage="test", model="m", case=name), make)


def mistake() -> PluginEvalError:
    """An error that a person can mend."""
    return PluginEvalError("is too small", field="size", allowed=("1", "2"), next_step="make it larger")
