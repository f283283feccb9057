"""Nothing of ours reaches what a plugin runs: no variable, no open file, no folder, and none of it by its commands."""

import json
import os
import sys
from pathlib import Path
from typing import cast

import pytest

from doubles.plugins import registering
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.surroundings import PASSED_ON
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")]

SCRIPT = registering.HERE / "notebook.py"
NOTED = (
    "import json, os; "
    "opened = [os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') "
    "if os.path.lexists(f'/proc/self/fd/{n}')]; "
    "seen = {'environ': dict(os.environ), 'cwd': os.getcwd(), 'opened': opened}; "
    "open('seen.json', 'w').write(json.dumps(seen))"
)
OURS = {
    "OPENAI_API_KEY": "sk-ours",
    "PLUGINEVAL_TOKEN": "a-token-of-ours",
    "PLUGINEVAL_HOME": "somewhere",
    "PYTHONPATH": "elsewhere",
    "LD_PRELOAD": "",
    "SSH_AUTH_SOCK": "a-socket",
    "LC_TOKEN": "sk-ours",
}


async def test_a_reset_command_sees_the_allow_list_its_copy_and_three_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in OURS.items():
        monkeypatch.setenv(name, value)
    kept_open = (tmp_path / "ours.txt").open("w")
    os.set_inheritable(kept_open.fileno(), True)
    (tmp_path / "fixture").mkdir()
    registration = PluginRegistration.model_validate(
        {
            "name": "notes",
            "command": sys.executable,
            "args": ("-S", str(SCRIPT)),
            "policy": "sandboxed",
            "sandbox": {"copy": tmp_path / "fixture", "reset": [sys.executable, "-I", "-c", NOTED]},
        }
    )
    with kept_open:
        async with PluginPool([registration], home=tmp_path / "home") as pool:
            tool = ToolSpec(plugin="notes", name="get_note", input_schema={})
            seen = cast("dict[str, Json]", json.loads((await pool.call(tool, {"name": "seen.json"})).text))
    environ = cast("dict[str, str]", seen["environ"])
    assert {name for name in environ if name.upper() not in PASSED_ON} <= {"HOME", "LC_CTYPE"}
    assert not set(OURS) & set(environ)
    assert environ["HOME"] != os.environ["HOME"]
    assert seen["cwd"] == "/sandbox"
    assert not [name for name in cast("list[str]", seen["opened"]) if "ours.txt" in name or name.endswith(".db")]
    assert "sk-ours" not in json.dumps(seen)
