"""A server's threads share few arenas of memory."""

import platform
import subprocess
import sys

import pytest

_PROGRAM = """
import re, sys, threading
from plugineval.server.app.arenas import few_arenas

if "few" in sys.argv:
    assert few_arenas()
meeting = threading.Barrier(13)

def hold() -> None:
    kept = [bytes(100_000) for _ in range(50)]
    meeting.wait()
    meeting.wait()
    kept.clear()

threads = [threading.Thread(target=hold) for _ in range(12)]
for thread in threads:
    thread.start()
meeting.wait()
starts = re.findall(r"^([0-9a-f]+)-\\S+ rw-p 00000000 00:00 0\\s*$", open("/proc/self/maps").read(), re.MULTILINE)
meeting.wait()
print(sum(int(start, 16) % (64 * 2**20) == 0 for start in starts))
"""


def _arenas(*words: str) -> int:
    """Of a process of twelve threads: those of glibc begin where 64 MiB do."""
    said = subprocess.run([sys.executable, "-c", _PROGRAM, *words], capture_output=True, text=True, check=True)
    return int(said.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")
def test_threads_share_few_arenas_once_it_was_asked_for() -> None:
    assert _arenas("few") < 3 < _arenas()
