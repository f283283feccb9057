"""A home with the plugin of `plugins/shifty.py`, and ways to change what it offers behind its owner's back."""

import json
import sys
from pathlib import Path

from doubles.plugins import registering
from plugineval.pccf.values import Json
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.settings import Settings

SCRIPT = registering.HERE / "shifty.py"


def tool(name: str, description: str = "Look something up.", **fields: Json) -> dict[str, Json]:
    """A tool as a server lists it: one word in."""
    schema: Json = {
        "type": "object",
        "properties": {"word": {"type": "string", "enum": ["red", "green", "blue"], "description": "A colour."}},
        "required": ["word"],
        "additionalProperties": False,
    }
    return {"name": name, "description": description, "inputSchema": schema} | fields


class Shifty:
    """The plugin `shifty` in `home`."""

    def __init__(self, home: Path, *tools: dict[str, Json], **settings: Json) -> None:
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        self._tools, self._calls = home / "tools.json", home / "calls.txt"
        self.offer(*tools)
        arguments = [str(SCRIPT), str(self._tools), str(self._calls)]
        table: dict[str, Json] = {"command": sys.executable, "args": ["-S", *arguments], **settings}
        said = "".join(f"{name} = {_toml(value)}\n" for name, value in table.items())
        (home / "plugineval.toml").write_text(f"[plugins.shifty]\n{said}")

    def offer(self, *tools: dict[str, Json]) -> None:
        """From now on it lists these."""
        self._tools.write_text(json.dumps(tools or (tool("get_colour"),)))

    @property
    def calls(self) -> list[str]:
        """The tools that were called, in order."""
        return self._calls.read_text().split() if self._calls.exists() else []

    @property
    def settings(self) -> Settings:
        """Read anew."""
        return load_settings(config=None, home=self.home, environ={}, cwd=self.home)


def _toml(value: Json) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_toml(each)}" for name, each in value.items()) + " }"
    return json.dumps(value)
