"""Hold a core installation to its weight, and the wheel to its one import name."""

import importlib.metadata
import sys
import sysconfig
from pathlib import Path

MAX_PACKAGES, MAX_MEGABYTES = 80, 350

site = Path(sysconfig.get_paths()["purelib"])
names = {file.parts[0] for file in importlib.metadata.files("plugineval") or () if file.suffix == ".py"}
packages = [d.name for d in importlib.metadata.distributions() if d.name not in {"pip", "setuptools"}]
# Compiled files are made by the installer, not installed; pip itself is not ours.
installed = [file for file in site.rglob("*") if file.is_file() and file.suffix != ".pyc"]
ours = [file for file in installed if file.relative_to(site).parts[0].split("-")[0] not in {"pip", "setuptools"}]
megabytes = sum(file.stat().st_size for file in ours) / 1e6
sys.stdout.write(f"{len(packages)} packages, {megabytes:.0f} MB, import names {sorted(names)}\n")
if names != {"plugineval"}:
    sys.exit(f"the wheel must provide the one name plugineval, not {sorted(names)}")
if len(packages) > MAX_PACKAGES or megabytes > MAX_MEGABYTES:
    sys.exit(f"a core installation may hold {MAX_PACKAGES} packages and {MAX_MEGABYTES} MB")
