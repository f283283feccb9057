"""The bundle before the official tools: `mcpb` (npm, `@anthropic-ai/mcpb`) and `uv`, where they are on the PATH."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema_rs
import pytest
from mcp import Client, StdioServerParameters

from plugineval.clients.hosts.bundle import MANIFEST_VERSION, bundle

pytestmark = pytest.mark.anyio


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not on the PATH")
    return found


def run(*words: object) -> str:
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "plugineval.mcpb"
    path.write_bytes(bundle())
    return path


def test_the_official_tool_unpacks_validates_and_packs_it(packed: Path, tmp_path: Path) -> None:
    mcpb = program("mcpb")
    folder, again = tmp_path / "unpacked", tmp_path / "again.mcpb"
    run(mcpb, "unpack", packed, folder)
    assert "validation passes" in run(mcpb, "validate", folder)
    run(mcpb, "pack", folder, again)
    assert again.stat().st_size > 100_000


def test_the_manifest_keeps_to_the_published_schema(packed: Path, tmp_path: Path) -> None:
    package = Path(program("mcpb")).resolve().parents[2]
    published = json.loads((package / "schemas" / f"mcpb-manifest-v{MANIFEST_VERSION}.schema.json").read_text())
    shutil.unpack_archive(packed, tmp_path / "unpacked", "zip")
    manifest = json.loads((tmp_path / "unpacked" / "manifest.json").read_text())
    jsonschema_rs.validate(published, manifest)
    assert not jsonschema_rs.is_valid(published, {**manifest, "unknown": 1})


async def test_unpacked_it_starts_as_its_manifest_says_and_speaks_mcp(packed: Path, tmp_path: Path) -> None:
    uv, folder = program("uv"), tmp_path / "unpacked"
    shutil.unpack_archive(packed, folder, "zip")
    config = json.loads((folder / "manifest.json").read_text())["server"]["mcp_config"]
    assert config["command"] == "uv"
    arguments = [word.replace("${__dirname}", str(folder)) for word in config["args"]]
    # Nothing was filled in by the person: the host leaves those references as they are.
    environment = {
        **os.environ,
        **config["env"],
        "HOME": str(tmp_path / "user"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    run(uv, "sync", "-q", "--directory", folder)
    server = StdioServerParameters(command=uv, args=arguments, env=environment, cwd=str(tmp_path))
    async with Client(server) as client:
        assert client.server_info is not None
        assert client.server_info.name == "PluginEval"
        assert len((await client.list_tools()).tools) > 10
    assert not [*folder.glob("$*")]
