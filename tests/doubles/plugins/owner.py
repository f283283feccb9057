"""A process that holds a pool with one unruly plugin and its child, prints their pids, and waits to be killed."""

import json
import sys
from pathlib import Path

import anyio

from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.tools import ToolSpec


async def main(home: str, tool_name: str) -> None:
    """Start, call the tool that names its children, tell, wait."""
    script = Path(__file__).with_name("unruly.py")
    plugin = PluginRegistration(name="unruly", command=sys.executable, args=("-S", str(script), "--stubborn"))
    async with PluginPool([plugin], home=Path(home)) as pool:
        tool = ToolSpec(plugin="unruly", name=tool_name, input_schema={})
        observation = await pool.call(tool, {})
        sys.stdout.write(json.dumps(json.loads(observation.text)) + "\n")
        sys.stdout.flush()
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2])
