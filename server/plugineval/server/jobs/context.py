"""What a running job is given: its parameters, the workspace, a journal of its own calls, a way to tell progress."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeAlias

from plugineval.clients.recorded.config import RecordedConfig
from plugineval.pccf.values import Json
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.journal import Journal
    from plugineval.server.store.store import Store
    from plugineval.server.work.desk import WorkDesk


class ReportProgress(Protocol):
    """Told how far the job is; cheap enough to be called for every unit of work."""

    def __call__(self, done: int, total: int | None, message: str) -> None:
        """`total` None: unknown."""
        ...


@dataclass(frozen=True, kw_only=True)
class JobContext:
    """One run of one job. A resumed job gets the same id, hence the same journal."""

    job_id: str
    params: Json
    workspace: Workspace
    store: "Store"
    journal: "Journal"
    progress: ReportProgress
    work: "WorkDesk"
    """Where roles that agents play hand in their questions."""

    def with_recorded(self, recordings: Iterable[RecordedConfig]) -> "JobContext":
        """The same, with recorded models that were named when the job was planned."""
        settings = self.workspace.settings.with_recorded(recordings)
        return replace(self, workspace=self.workspace.under(settings))


Runner: TypeAlias = Callable[[JobContext], Awaitable[Json]]
"""Does the work of one kind of job and gives its result. A `PluginEvalError` fails the job with its sentence; an
`IncompleteError` leaves it interrupted, to be resumed."""

Runners: TypeAlias = Mapping[str, Runner]
