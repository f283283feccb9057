"""One open database: a writer that groups commits, and readers that never wait for it."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from sqlalchemy import URL, Connection, Engine, Table, make_url, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from plugineval.clients.addresses import secrets_in
from plugineval.clients.redaction import Redactor
from plugineval.pccf.errors import ConfigurationError, StoreError
from plugineval.server.store.faults import spoken, store_error
from plugineval.server.store.options import StoreOptions
from plugineval.server.store.postgres import DRIVER, EXTRA, freeing, open_engines, passes
from plugineval.server.store.retries import NEVER, Retries
from plugineval.server.store.schema import bring_up_to_date
from plugineval.server.store.sqlite import KEPT, open_engine, prepare_place
from plugineval.server.store.writer import Together, Writer

R = TypeVar("R")
T = TypeVar("T")

Insert = sqlite.Insert | postgresql.Insert


class Database:
    """`place` is the path, or the URL without its password."""

    def __init__(self, readers: Engine, writer: Engine, place: str, again: Retries = NEVER) -> None:
        self.place = place
        self._again = again
        self._engines = (readers, writer)
        self._readers = readers
        self._reading: CapacityLimiter | None = None
        self._writer = Writer(writer.begin, partial(store_error, place=place), place, again)

    @classmethod
    def open(cls, where: str | Path, options: StoreOptions) -> "Database":
        """Connect, migrate if needed, and start the writer; `StoreError` says what is wrong and what to do."""
        readers, writer, place = _engines(where, options)
        try:
            with spoken(place):
                bring_up_to_date(writer, place)
        except BaseException:
            readers.dispose()
            writer.dispose()
            raise
        again = Retries(passes, options.reconnect_s, freeing(readers, options.idle_transaction_s))
        return cls(readers, writer, place, again)

    @property
    def commits(self) -> int:
        """How many transactions were committed so far."""
        return self._writer.commits

    async def write(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, once it is committed."""
        return await self._writer.write(work)

    async def write_row(self, kind: Together[R, T], row: R) -> T:
        """The result of `kind` for `row`, once it is committed; rows of one kind that share a commit are one call."""
        return await self._writer.write_row(kind, row)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """The result of `work` on a snapshot, in a thread of its own."""
        if self._reading is None:
            self._reading = CapacityLimiter(KEPT)
        # Many threads at once would only keep the interpreter from the one that answers everybody.
        return await to_thread.run_sync(self.read_here, work, limiter=self._reading)

    def read_here(self, work: Callable[[Connection], T]) -> T:
        """The result of `work` on a snapshot, in this thread."""
        with spoken(self.place):
            return self._again.run(lambda: self._read(work))

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._readers.connect() as connection:
            return work(connection)

    async def answers(self) -> bool:
        """Whether it can be read from at this moment; a host that is silent is found out in seconds."""
        return await to_thread.run_sync(self._answers)

    def _answers(self) -> bool:
        try:
            self._read(lambda connection: connection.execute(text("SELECT 1")))
        except SQLAlchemyError:
            return False
        return True

    def hurry(self) -> None:
        """Wait for no lost server any more: what fails from now on fails at once."""
        self._again.hurry()

    def close(self) -> None:
        """Commit what was submitted and let go of the files."""
        self._writer.close()
        for engine in self._engines:
            engine.dispose()


def insert_into(dialect: str, table: Table) -> Insert:
    """An INSERT of the database's dialect, which can say what a conflict means."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


@cache
def insert_new(dialect: str, table: Table) -> Insert:
    """An INSERT that leaves a row with the same key as it is: what makes an append safe to repeat."""
    return insert_into(dialect, table).on_conflict_do_nothing()


def inserted(connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
    """Insert `row`; False if a row with its key was there, which is left as it is."""
    return inserted_of(connection, table, [row]) == 1


def inserted_of(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> int:
    """Insert `rows`, but for those whose key was there; how many were not, or a negative number where none knows."""
    # Without the option, what an INSERT did is told by some drivers only.
    options = {"preserve_rowcount": True}
    return connection.execute(insert_new(connection.dialect.name, table), rows, execution_options=options).rowcount


def _engines(where: str | Path, options: StoreOptions) -> tuple[Engine, Engine, str]:
    if isinstance(where, Path) or "://" not in where:
        return _on_file(Path(where), options)
    try:
        url = make_url(where)
        if url.get_backend_name() == "sqlite":
            return _on_file(Path(url.database or ":memory:"), options)
        engines = open_engines(
            url.set(drivername=DRIVER) if url.drivername == "postgresql" else url, options.idle_transaction_s
        )
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigurationError(
            "is not a database URL", field="database", allowed=("a path", "sqlite:///PATH", "postgresql+psycopg://…")
        ) from error
    except ImportError as error:
        raise StoreError(
            f"its driver {error.name!r} is not installed",
            field=_shown(make_url(where)),
            next_step=f"run `pip install {EXTRA if error.name == 'psycopg' else error.name}`",
        ) from error
    return *engines, _shown(url)


def _shown(url: URL) -> str:
    """The URL without its password, which may also stand in its query."""
    whole = url.render_as_string(hide_password=True)
    return Redactor(secrets_in(url.render_as_string(hide_password=False))).text(whole)


def _on_file(path: Path, options: StoreOptions) -> tuple[Engine, Engine, str]:
    if path.name == ":memory:":
        raise ConfigurationError("a database in memory would lose paid answers", field="database", allowed=("a path",))
    place = path.expanduser().absolute()
    prepare_place(place)
    return open_engine(place, options, write=False), open_engine(place, options, write=True), str(place)
