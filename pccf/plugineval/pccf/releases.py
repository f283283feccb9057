"""A benchmark's place in its history: which version it is, which one it was made from, and what changed and why.

A complete benchmark never changes; whoever revises gold or calibrates anew makes the next version of it. Versions of
one history share the id of the first (`root`) and count up from 1, so that a report names exactly what it measured.
"""

from enum import StrEnum

from pydantic import Field

from plugineval.pccf.values import Json, Value


class ChangeKind(StrEnum):
    """What happened to one case between two versions."""

    ADDED = "added"
    REMOVED = "removed"
    GOLD_REVISED = "gold_revised"
    """Its label or gold calls are others."""
    RECALIBRATED = "recalibrated"
    """Its difficulty or p_K is another one."""
    QUERY_CHANGED = "query_changed"
    OTHER = "other"
    """Anything else that a model or a count could see."""


class Change(Value):
    """One case that differs, as it was and as it is."""

    kind: ChangeKind
    case: str
    reason: str = ""
    """Why, in the words of whoever changed it; empty where it follows from the kind."""
    by: str = ""
    before: Json = None
    after: Json = None


class Release(Value):
    """Version 1 of a history of its own, unless it says otherwise."""

    version: int = Field(default=1, ge=1)
    root: str | None = None
    """Id of version 1; None where this is it."""
    parent: str | None = None
    """Id of the version that this one was made from."""
    note: str = ""
    """What this version is for, in one sentence."""
    changes: tuple[Change, ...] = ()
    """Against the parent: the changelog of this version."""

    def next(self, parent: str, *, note: str, changes: tuple[Change, ...]) -> "Release":
        """The release after this one, which the benchmark with the id `parent` has."""
        root = self.root or parent
        return Release(version=self.version + 1, root=root, parent=parent, note=note, changes=changes)
