"""PluginEval as an `.mcpb` file: a host installs it with a click and runs it by uv, with the versions of its packing.

The bundle holds the package itself and none of its dependencies. No key goes into it, and it asks for none.
"""

import importlib.resources
import io
import json
import zipfile
from collections.abc import Mapping
from importlib import metadata

import tomlkit

from plugineval.clients.hosts.own_package import PACKAGE, Facts, facts, installed_versions, package_files
from plugineval.pccf.values import Json

MANIFEST_VERSION = "0.4"
ENTRY = "serve.py"
ICON = "icon.png"
_SERVE = '''"""Serves PluginEval on stdio; the host of this bundle starts it."""

import sys

from plugineval.server.cli import main

sys.argv[1:] = ["serve"]
main()
'''
_IGNORED = ".venv/\n__pycache__/\n*.pyc\nuv.lock\n"
_FIRST_EVER = (1980, 1, 1, 0, 0, 0)
_LONG = (
    "Build a function-calling benchmark from your own MCP servers, measure models on it, and read in conversation what "
    "to fix first. The first start installs what it needs, which takes a while; should the host give up waiting, start "
    "it again. Plugins are registered by you, in a plugineval.toml; an agent can use them by name and can add none."
)


def manifest(about: Facts) -> dict[str, Json]:
    """`manifest.json`, version 0.4."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": PACKAGE,
        "display_name": "PluginEval",
        "version": about.version,
        "description": about.description,
        "long_description": _LONG,
        "author": {"name": "The PluginEval maintainers"},
        "icon": ICON,
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", ENTRY],
                "env": {"PLUGINEVAL_HOME": "${user_config.home}", "PLUGINEVAL_CONFIG": "${user_config.settings}"},
            },
        },
        "tools_generated": True,
        "prompts_generated": True,
        "keywords": list(about.keywords),
        "license": about.license,
        "compatibility": {"platforms": ["darwin", "win32", "linux"], "runtimes": {"python": about.python}},
        "user_config": {
            "home": _asked("directory", "Home", "Folder of the database; your user data folder if you leave it out."),
            "settings": _asked("file", "Settings", "Your plugineval.toml; the one in the home if you leave it out."),
        },
    }


def pyproject(about: Facts) -> str:
    """What uv builds and installs: the package, held to the versions that are installed here."""
    return tomlkit.dumps(
        {
            "build-system": {"requires": ["hatchling"], "build-backend": "hatchling.build"},
            "project": {
                "name": PACKAGE,
                "version": about.version,
                "description": about.description,
                "license": about.license,
                "requires-python": about.python,
                "dependencies": list(about.dependencies),
                "scripts": {PACKAGE: f"{PACKAGE}.server.cli:main"},
            },
            "tool": {
                "hatch": {"build": {"targets": {"wheel": {"packages": [f"src/{PACKAGE}"]}}}},
                "uv": {"constraint-dependencies": list(installed_versions())},
            },
        }
    )


def bundle() -> bytes:
    """The `.mcpb` file; the same installation gives the same bytes."""
    about = facts()
    files = {
        "manifest.json": json.dumps(manifest(about), indent=2).encode(),
        "pyproject.toml": pyproject(about).encode(),
        ENTRY: _SERVE.encode(),
        ICON: importlib.resources.files(__package__ or "").joinpath(ICON).read_bytes(),
        ".mcpbignore": _IGNORED.encode(),
        **{f"src/{name}": path.read_bytes() for name, path in package_files()},
    }
    license_text = metadata.distribution(PACKAGE).read_text("licenses/LICENSE")
    return _zipped({**files, "LICENSE": license_text.encode()} if license_text else files)


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _FIRST_EVER)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _asked(kind: str, title: str, description: str) -> dict[str, Json]:
    return {"type": kind, "title": title, "description": description, "required": False}
