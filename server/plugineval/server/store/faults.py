"""The one place where an error of a database becomes a sentence: the place, what is wrong, and the next step."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from plugineval.pccf.errors import StoreError
from plugineval.server.store import postgres, sqlite
from plugineval.server.store.fault import Fault


def store_error(error: SQLAlchemyError, place: str) -> StoreError:
    """What `error` means to a person; the database's own words where its meaning is not known."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    fault = _fault(error, cause)
    if fault is not None:
        return StoreError(fault.problem, field=place, next_step=fault.next_step)
    words = " ".join(str(cause).split())
    return StoreError(
        f"the database refused the work: {words}",
        field=place,
        next_step="run `plugineval doctor`; what is stored stays stored",
    )


def _fault(error: SQLAlchemyError, cause: BaseException | None) -> Fault | None:
    if isinstance(cause, sqlite3.Error):
        return sqlite.fault_of(cause)
    return postgres.fault_of(error) if isinstance(error, DBAPIError) else None


@contextmanager
def spoken(place: str) -> Generator[None]:
    """Errors of the database leave this block as `StoreError`."""
    try:
        yield
    except SQLAlchemyError as error:
        raise store_error(error, place) from error
