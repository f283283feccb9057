"""What to type to call this program again: its name where the PATH finds it, else the path it was called by."""

import shlex
import shutil
import sys
from pathlib import Path

NAME = "plugineval"


def program() -> str:
    """`plugineval`, or the path that was typed, such as `.venv/bin/plugineval`."""
    called = Path(sys.argv[0])
    if called.stem != NAME or called.name == sys.argv[0]:
        return NAME
    found = shutil.which(NAME)
    return NAME if found is not None and Path(found).resolve() == called.resolve() else sys.argv[0]


def command_line(*words: str) -> str:
    """A command line of this program, quoted for a shell."""
    return shlex.join([program(), *words])
