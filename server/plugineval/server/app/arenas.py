"""Memory of a process with many threads: a few arenas for all of them, where the C library would make one for each.

A thread that once read a large report keeps its arena as large as that; twenty such threads hold fifty megabytes that
nobody uses, and a server looks as if it grew for its first thousand jobs.
"""

import ctypes
import platform

MOST = 2
_M_ARENA_MAX = -8
"""Of glibc's malloc.h; other libraries share their memory among threads by themselves."""


def few_arenas() -> bool:
    """Ask for it, before the threads are there; whether the C library is one that can be asked."""
    if platform.libc_ver()[0] != "glibc":
        return False
    return bool(ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MOST))
