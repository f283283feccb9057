"""The history of a benchmark as people read it."""

from typing import TYPE_CHECKING

from pydantic import AwareDatetime

from plugineval.pccf.releases import Change
from plugineval.pccf.values import Value

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class VersionLine(Value):
    """One version."""

    benchmark_id: str
    name: str
    version: int
    parent: str | None
    created_at: AwareDatetime
    content_hash: str
    examples: int
    note: str
    changes: tuple[Change, ...]


async def version_lines(store: "Store", named: str) -> tuple[VersionLine, ...]:
    """All versions of the history that `named` is part of, the first one first; empty while it is built."""
    lines: list[VersionLine] = []
    for version in await store.benchmarks.versions(named):
        summary = await store.benchmarks.summary(version.id)
        lines.append(
            VersionLine(
                benchmark_id=version.id,
                name=summary.name,
                version=version.release.version,
                parent=version.release.parent,
                created_at=summary.created_at,
                content_hash=summary.content_hash or "",
                examples=summary.examples,
                note=version.release.note,
                changes=version.release.changes,
            )
        )
    return tuple(lines)
