"""What a worker says of its work, one line at a time: a sentence for people, the same facts for scripts."""

import os
import socket
from typing import Literal, Protocol, TypeAlias

from plugineval.pccf.values import Json

Event: TypeAlias = Literal["serving", "took", "finished", "lost", "gave_back", "refused", "job", "trouble", "leaving"]


def worker_name() -> str:
    """What the worker of this process is called: its host and its process."""
    return f"{socket.gethostname()}:{os.getpid()}"


class Tell(Protocol):
    """Hears them."""

    def __call__(self, event: Event, sentence: str, **facts: Json) -> None:
        """Cheap, and never an error."""
        ...
