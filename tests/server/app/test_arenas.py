"""A server's threads share few arenas of memory, and large values leave no holes in them."""

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library")

_ASKED = """
import re, sys, threading
from plugineval.server.app.arenas import steady_memory

if "steady" in sys.argv:
    assert steady_memory()
"""
_THREADS = """
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
_REPORT = """
# The C library takes the largest block that was freed for the size of what comes and goes.
largest = bytes(8_000_000)
del largest
report = bytes(300_000)
heap = re.search(r"^([0-9a-f]+)-([0-9a-f]+) .*\\[heap\\]$", open("/proc/self/maps").read(), re.MULTILINE)
print(int(int(heap[1], 16) <= id(report) < int(heap[2], 16)))
"""


def _said(program: str, *words: str) -> int:
    done = subprocess.run([sys.executable, "-c", _ASKED + program, *words], capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_threads_share_few_arenas_once_it_was_asked_for() -> None:
    """Those of glibc begin where 64 MiB do."""
    assert _said(_THREADS, "steady") < 3 < _said(_THREADS)


def test_large_values_leave_no_holes_between_small_ones() -> None:
    """They are not among them, however large others were before."""
    assert (_said(_REPORT, "steady"), _said(_REPORT)) == (0, 1)
