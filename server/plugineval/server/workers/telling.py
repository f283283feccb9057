"""What a worker says of its work, one line at a time: a sentence for people, the same facts for scripts."""

from typing import Literal, Protocol, TypeAlias

from plugineval.pccf.values import Json

Event: TypeAlias = Literal["serving", "took", "finished", "lost", "gave_back", "refused", "job", "trouble", "leaving"]


class Tell(Protocol):
    """Hears them."""

    def __call__(self, event: Event, sentence: str, **facts: Json) -> None:
        """Cheap, and never an error."""
        ...
