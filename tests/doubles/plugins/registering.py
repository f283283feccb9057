"""Registrations of the little plugins of this folder, and pools that hold one of them."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.restarts import RestartSchedule
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json

HERE = Path(__file__).parent
UNHURRIED = RestartSchedule(first_s=0.01, longest_s=0.02, give_up_after=3, rest_s=600)
"""A schedule that a test can wait for, except for its rest."""


def unruly(*flags: str, **fields: object) -> PluginRegistration:
    """The plugin that misbehaves; it starts in a few hundredths of a second."""
    script = str(HERE / "unruly.py")
    given = {"name": "unruly", "command": sys.executable, "args": ("-S", script, *flags), "call_timeout_s": 10.0}
    return PluginRegistration.model_validate(given | fields)


def tidy(**fields: object) -> PluginRegistration:
    """The plugin that is built on the SDK, on stdio unless `url` says otherwise."""
    stdio = {} if "url" in fields else {"command": sys.executable, "args": (str(HERE / "tidy.py"),)}
    return PluginRegistration.model_validate({"name": "tidy"} | stdio | fields)


class Bench:
    """A pool of one plugin, and calls of its tools by name."""

    def __init__(self, pool: PluginPool, registration: PluginRegistration) -> None:
        self.pool = pool
        self.name = registration.name

    def tool(self, name: str, **fields: object) -> ToolSpec:
        """A tool of the plugin, without asking for its listing."""
        return ToolSpec.model_validate({"plugin": self.name, "name": name, "input_schema": {}} | fields)

    async def call(self, name: str, arguments: Arguments | None = None, **fields: object) -> Observation:
        """Call one tool."""
        return await self.pool.call(self.tool(name, **fields), arguments or {})

    async def json(self, name: str, arguments: Arguments | None = None) -> dict[str, Json]:
        """The object that a tool returns as text."""
        observation = await self.call(name, arguments)
        parsed: dict[str, Json] = json.loads(observation.text)
        return parsed


@asynccontextmanager
async def bench(registration: PluginRegistration, home: Path, *, processes: int = 1) -> AsyncGenerator[Bench, None]:
    """A pool of one plugin, with a schedule and a grace that suit a test."""
    async with PluginPool(
        [registration], home=home, processes_per_plugin=processes, schedule=UNHURRIED, grace_s=0.3
    ) as pool:
        yield Bench(pool, registration)
