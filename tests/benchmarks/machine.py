"""What figures depend on: the machine, and the versions of what does the work."""

import os
import platform
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path


def facts() -> dict[str, str]:
    """Name -> fact, in the order in which people ask."""
    return {
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "load before": "/".join(f"{load:.1f}" for load in os.getloadavg()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": _postgres(),
    }


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.+)", listed.read_text()) if listed.exists() else None
    return found[1] if found else platform.processor()


def _postgres() -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda file: int(file.parts[-3]))
    program = str(installed[-1]) if installed else shutil.which("postgres")
    if program is None:
        return "not installed"
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return said.split()[2]
