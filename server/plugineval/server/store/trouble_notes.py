"""What kept workers from parts of a job: each refusal, failure and loss once, with who, when, why and how often.

At most some dozens are kept of a job, the latest; how many there were beside them is counted.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime, Field

from plugineval.pccf.values import Value
from plugineval.server.wording import counted

MOST = 50
SHOWN = 5
REASON = 400
"""Characters of a reason."""


class Trouble(Value):
    """One of them: a worker that left a part to others, failed at it, gave it back, or had lost it."""

    what: Literal["refused", "failed", "gave_back", "lost"]
    worker: str
    model: str = ""
    shard: int | None = None
    """None: all that wait of the model, or the whole job."""
    reason: str = ""

    @property
    def where(self) -> str:
        """`shard 3 of m`; empty for a whole job."""
        of = f" of {self.model}" if self.model else ""
        return self.model if self.shard is None else f"shard {self.shard}{of}"


class TroubleNote(Trouble):
    """The same as it is kept."""

    first_at: AwareDatetime
    last_at: AwareDatetime
    times: int = Field(default=1, ge=1)

    @property
    def sentence(self) -> str:
        """For people: who, what, why, when and how often."""
        verb = {"gave_back": "gave back"}.get(self.what, self.what)
        often = f"{counted(self.times, 'time')}, last " if self.times > 1 else ""
        why = f": {self.reason}" if self.reason else ""
        return f"{self.worker} {verb} {self.where or 'it'} ({often}{self.last_at:%Y-%m-%d %H:%M:%S} UTC){why}"


class Troubles(Value):
    """Those of one job, the latest last."""

    notes: tuple[TroubleNote, ...] = ()
    more: int = Field(default=0, ge=0)
    """That are not kept any more."""

    def and_also(self, trouble: Trouble, at: datetime) -> "Troubles":
        """With one more; what is the same but for its time is counted."""
        said = trouble.model_copy(update={"reason": trouble.reason[:REASON]})
        rest = [note for note in self.notes if not _same(note, said)]
        known = next((note for note in self.notes if _same(note, said)), None)
        first, times = (known.first_at, known.times + 1) if known else (at, 1)
        rest.append(TroubleNote(**dict(said), first_at=first, last_at=at, times=times))
        over = max(0, len(rest) - MOST)
        return Troubles(notes=tuple(rest[over:]), more=self.more + over)

    @property
    def told(self) -> tuple[str, ...]:
        """The latest, a sentence each, and how many more there are."""
        return shortly([note.sentence for note in self.notes], self.more)

    @property
    def refusals(self) -> tuple[str, ...]:
        """Why workers leave shards to others, each worker and reason once."""
        return shortly([f"{note.worker}: {note.reason}" for note in self.notes if note.what == "refused"])


def shortly(sentences: Iterable[str], more: int = 0) -> tuple[str, ...]:
    """The last of them, and how many are left out."""
    distinct = [*dict.fromkeys(sentences)]
    left = more + max(0, len(distinct) - SHOWN)
    return (*distinct[-SHOWN:], *([f"and {left} more"] if left else []))


def _same(note: Trouble, other: Trouble) -> bool:
    return all(getattr(note, name) == getattr(other, name) for name in Trouble.model_fields)
