"""The most memory that this process has held. What `getrusage` says of it begins with what the process that started
this one held, so Linux is asked for that of this program alone.
"""

import re
import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """MB."""
    if _STATUS.exists() and (found := re.search(r"^VmHWM:\s+(\d+) kB$", _STATUS.read_text(), re.MULTILINE)):
        return int(found[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
