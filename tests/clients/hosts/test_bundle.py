import io
import json
import struct
import tomllib
import zipfile
from pathlib import Path

import pytest

from plugineval.clients.hosts.bundle import bundle
from plugineval.clients.hosts.own_package import facts, installed_versions, package_files


@pytest.fixture(scope="module")
def archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(bundle()))


def test_a_bundle_is_the_same_every_time() -> None:
    assert bundle() == bundle()


def test_it_holds_the_whole_package_and_nothing_that_tools_left_behind(archive: zipfile.ZipFile) -> None:
    names = set(archive.namelist())
    assert {f"src/{name}" for name, _ in package_files()} < names
    assert "src/plugineval/server/app/instructions.md" in names
    assert not [name for name in names if name.endswith(".pyc") or "/." in name]
    assert {name.split("/")[0] for name in names} <= {
        "src", "manifest.json", "pyproject.toml", "serve.py", "icon.png", ".mcpbignore", "LICENSE",
    }  # fmt: skip


def test_the_manifest_asks_for_folders_and_no_key(archive: zipfile.ZipFile) -> None:
    manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["manifest_version"], manifest["version"]) == ("0.4", facts().version)
    assert manifest["server"]["type"] == "uv"
    assert manifest["server"]["entry_point"] in archive.namelist()
    asked = manifest["user_config"]
    assert {question["type"] for question in asked.values()} == {"directory", "file"}
    assert not any(question["required"] for question in asked.values())
    assert manifest["tools_generated"]
    assert manifest["prompts_generated"]


def test_the_icon_is_a_png_of_512_pixels(archive: zipfile.ZipFile) -> None:
    icon = archive.read("icon.png")
    assert icon.startswith(b"\x89PNG")
    assert struct.unpack(">II", icon[16:24]) == (512, 512)
    assert len(icon) < 20_000


def test_it_declares_what_the_package_needs_and_holds_it_to_the_versions_here(archive: zipfile.ZipFile) -> None:
    project = tomllib.loads(archive.read("pyproject.toml").decode())
    assert project["project"]["dependencies"] == list(facts().dependencies)
    pinned = {pin.split("==")[0] for pin in project["tool"]["uv"]["constraint-dependencies"]}
    assert pinned == {pin.split("==")[0] for pin in installed_versions()}
    # Directly, through another package, and through an extra of another package.
    assert {"mcp", "starlette", "cryptography"} <= pinned
    assert not {"pytest", "ruff", "plugineval"} & pinned


def test_the_packages_own_files_are_read_from_where_it_is_installed() -> None:
    assert ("plugineval/clients/hosts/bundle.py") in dict(package_files())
    assert all(path.is_file() for _, path in package_files())
    assert Path(__file__) not in dict(package_files()).values()
