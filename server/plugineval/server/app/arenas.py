"""Memory of a process with many threads that lives for months: given back, instead of kept in pieces.

A thread that once read a large report keeps its arena as large as that; twenty such threads hold fifty megabytes that
nobody uses, and a server looks as if it grew for its first thousand jobs. And the C library takes from its arenas
whatever is no larger than the largest block that was ever freed: reports and answers of some hundred kilobytes then
leave holes between small values that stay, into which the next larger one does not fit. That is five kilobytes a job,
for as long as the server lives.
"""

import ctypes
import platform

MOST = 2
"""Arenas: one for the thread that answers everybody, one for all others."""
LARGE = 128 * 1024
"""Bytes from which a block has pages of its own, which go back when it is freed. It is what the C library begins with;
saying so keeps it from raising it.
"""
_M_MMAP_THRESHOLD, _M_ARENA_MAX = -3, -8
"""Of glibc's malloc.h; other libraries share their memory among threads by themselves."""


def steady_memory() -> bool:
    """Ask for both, before the threads are there; whether the C library is one that can be asked."""
    if platform.libc_ver()[0] != "glibc":
        return False
    asked = ctypes.CDLL(None).mallopt
    return all([asked(_M_ARENA_MAX, MOST), asked(_M_MMAP_THRESHOLD, LARGE)])
