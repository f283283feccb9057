"""One thread owns the connection that writes. What arrives while it commits shares the next commit.

Every writer waits for its own commit, so nothing is ever built on an answer that a crash could take away. Rows of one
kind that share a commit are written by one statement, which costs a fraction of as many. Where one piece of a shared
commit fails, the pieces are done again one by one: an error reaches exactly the one it belongs to. What fails because
the server went away, or because two processes met head-on, is done again as it is.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import sleep
from typing import Any, Generic, TypeAlias, TypeVar, cast

from anyio import CancelScope
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from plugineval.pccf.errors import StoreError
from plugineval.server.store.retries import NEVER, Retries
from plugineval.server.store.wakeups import Wakeup, wake

R = TypeVar("R")
T = TypeVar("T")

LARGEST_GROUP = 512
LINGER_S = 0.002
"""Where several pieces shared the last commit, so long more are waited for: a commit costs as much as many rows."""


Together: TypeAlias = Callable[[Connection, Sequence[R]], Sequence[T]]
"""Work on all rows of one kind that share a commit; one result for each, in their order."""


class _Piece(Generic[T]):
    """One piece of work, alone or together with those of its kind, and what became of it."""

    __slots__ = ("error", "kind", "result", "row", "wakeup")

    def __init__(self, kind: "Together[Any, T]", row: object) -> None:
        self.kind = kind
        self.row = row
        self.wakeup = Wakeup()
        self.result: T | None = None
        self.error: BaseException | None = None


class Writer:
    """Work is a function of a connection. It may be done twice (the first time rolled back), so it must do no more."""

    def __init__(
        self,
        begin: Callable[[], AbstractContextManager[Connection]],
        translate: Callable[[SQLAlchemyError], StoreError],
        place: str,
        again: Retries = NEVER,
    ) -> None:
        self._begin = begin
        self._translate = translate
        self._again = again
        self._place = place
        self._queue: SimpleQueue[_Piece[Any] | None] = SimpleQueue()
        self._closing = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name="plugineval-writer", daemon=True)
        self._thread.start()
        self.commits = 0
        self._crowded = False

    async def write(self, work: Callable[[Connection], T]) -> T:
        """The result of `work`, once it is committed. Cancellation waits for the commit; it never undoes it."""
        return await self._written(_Piece(_alone, work))

    async def write_row(self, kind: "Together[R, T]", row: R) -> T:
        """The same for one of the rows of a kind: equal `kind`s of one commit are called once, with all their rows.

        It is called after what was submitted on its own.
        """
        return await self._written(_Piece(kind, row))

    async def _written(self, piece: _Piece[T]) -> T:
        self._submit(piece)
        with CancelScope(shield=True):
            await piece.wakeup.wait()
        if piece.error is not None:
            raise piece.error
        return cast("T", piece.result)

    def close(self) -> None:
        """Commit what was submitted and end the thread."""
        with self._closing:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _submit(self, piece: _Piece[T]) -> None:
        with self._closing:
            if self._closed:
                raise StoreError("the store is closed", field=self._place, next_step="open it again")
            self._queue.put(piece)

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            group, ended = self._gather(first)
            self._commit(group)
            wake([piece.wakeup for piece in group])
            if ended:
                return

    def _gather(self, first: _Piece[Any]) -> tuple[list[_Piece[Any]], bool]:
        group = [first]
        if self._crowded:
            sleep(LINGER_S)
        try:
            while len(group) < LARGEST_GROUP:
                piece = self._queue.get_nowait()
                if piece is None:
                    return group, True
                group.append(piece)
        except Empty:
            self._crowded = len(group) > 1
        return group, False

    def _commit(self, group: list[_Piece[Any]]) -> None:
        error = self._attempt(group)
        if error is None or len(group) == 1:
            group[0].error = error
            return
        for piece in group:
            piece.error = self._attempt([piece])

    def _attempt(self, group: list[_Piece[Any]]) -> BaseException | None:
        try:
            self._again.run(lambda: self._once(group))
        except SQLAlchemyError as error:
            told = self._translate(error)
            told.__cause__ = error
            return told
        except Exception as error:  # noqa: BLE001 - a boundary: it belongs to the task that waits, not to this thread
            return error
        self.commits += 1
        return None

    def _once(self, group: list[_Piece[Any]]) -> None:
        with self._begin() as connection:
            _do(group, connection)


def _alone(connection: Connection, works: Sequence[Callable[[Connection], T]]) -> Sequence[T]:
    return [work(connection) for work in works]


def _do(group: Sequence[_Piece[Any]], connection: Connection) -> None:
    kinds: dict[Together[Any, Any], list[_Piece[Any]]] = {_alone: []}
    for piece in group:
        kinds.setdefault(piece.kind, []).append(piece)
    for kind, pieces in kinds.items():
        if pieces:
            for piece, result in zip(pieces, kind(connection, [piece.row for piece in pieces]), strict=True):
                piece.result = result
