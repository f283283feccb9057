"""One door to everything that is kept, with a shelf for each kind of thing.

What is awaited on a shelf is committed when it returns; every append may be repeated and changes nothing the second
time. Opening is cheap for whoever only imports this module: SQLAlchemy and the tables come with `Store.open`.
"""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from anyio import CancelScope, to_thread

from plugineval.server.store.options import StoreOptions

if TYPE_CHECKING:
    from plugineval.server.store.database import Database
    from plugineval.server.store.held_log import HeldLog
    from plugineval.server.store.shard_notes import ShardLease


class Store:
    """An open database. Use it as `async with Store.open(path) as store`, or close it with `close()`."""

    def __init__(self, database: "Database") -> None:
        from plugineval.server.store.agreements import AgreementShelf
        from plugineval.server.store.attempts import AttemptShelf
        from plugineval.server.store.benchmarks import BenchmarkShelf
        from plugineval.server.store.calls import CallShelf
        from plugineval.server.store.claims import ClaimShelf
        from plugineval.server.store.examples import ExampleShelf
        from plugineval.server.store.gradings import GradingShelf
        from plugineval.server.store.jobs import JobShelf
        from plugineval.server.store.meters import MeterShelf
        from plugineval.server.store.plugins import PluginShelf
        from plugineval.server.store.records import RecordShelf, RoundShelf
        from plugineval.server.store.reports import ReportShelf
        from plugineval.server.store.runs import RunShelf
        from plugineval.server.store.shards import ShardShelf
        from plugineval.server.store.troubles import TroubleShelf
        from plugineval.server.store.work import WorkShelf

        self._database = database
        self.plugins = PluginShelf(database)
        self.benchmarks = BenchmarkShelf(database)
        self.examples = ExampleShelf(database)
        self.records = RecordShelf(database)
        self.rounds = RoundShelf(database)
        self.runs = RunShelf(database)
        self.attempts = AttemptShelf(database)
        self.gradings = GradingShelf(database)
        self.reports = ReportShelf(database)
        self.jobs = JobShelf(database)
        self.calls = CallShelf(database)
        self.work = WorkShelf(database)
        self.meters = MeterShelf(database)
        self.agreements = AgreementShelf(database)
        self.shards = ShardShelf(database)
        self.claims = ClaimShelf(database)
        self.troubles = TroubleShelf(self.agreements)

    @classmethod
    def open(cls, where: str | Path, options: StoreOptions | None = None) -> Self:
        """Open (and make, or migrate) the database at a path or URL.

        `StoreError` with the place and the next step: a read-only place, a full disk, a file that is not a database,
        a lock that is not released, a database of a newer version or of another program. Nothing stored is changed.
        """
        from plugineval.server.store.database import Database

        return cls(Database.open(where, options or StoreOptions()))

    def held_log(self, run_id: str, lease: "ShardLease") -> "HeldLog":
        """Where the matrix of one shard of a run appends to, while this process holds it."""
        from plugineval.server.store.held_log import HeldLog

        return HeldLog(self._database, run_id, lease)

    @property
    def place(self) -> str:
        """The path, or the URL without its password."""
        return self._database.place

    @property
    def commits(self) -> int:
        """How many transactions were committed so far; many writes share one."""
        return self._database.commits

    async def answers(self) -> bool:
        """Whether the database can be read from at this moment."""
        return await self._database.answers()

    def hurry(self) -> None:
        """Wait for no lost server any more, in a process that is about to end: what fails from now on fails at once."""
        self._database.hurry()

    def close(self) -> None:
        """Commit what was handed over and let go of the files. Closing twice is harmless."""
        self._database.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with CancelScope(shield=True):
            await to_thread.run_sync(self.close)
