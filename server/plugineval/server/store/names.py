"""How a person names a stored thing: its id, its name where only one has it, or a unique beginning of its id."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, select

from plugineval.pccf.errors import AmbiguousNameError, UnknownNameError
from plugineval.pccf.nearest import COMPARED
from plugineval.server.store.pages import Rows

OFFERED = 20
Where = ColumnElement[bool]


class Named(NamedTuple):
    """The columns of a table whose rows have a name and a date beside their id."""

    id: "Column[str]"
    name: "Column[str]"
    at: "Column[datetime]"
    finished: ColumnElement[bool]
    """Of several rows with the same name those that are finished count, if there are any."""


def resolve(connection: Connection, column: "Column[str]", kind: str, given: str, *where: Where) -> str:
    """The one id that `given` means; `UnknownNameError` where there is none, or more than one."""
    if connection.execute(select(column).where(column == given, *where).limit(1)).first():
        return given
    found = _begun(connection, column, given, *where)
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousNameError(kind, given, found)
    newest = select(column).distinct().where(*where).order_by(column.desc()).limit(COMPARED)
    known = list(connection.scalars(newest))
    raise UnknownNameError(kind, given, known[:OFFERED], alike=known)


def resolve_named(connection: Connection, columns: Named, kind: str, given: str, *where: Where) -> str:
    """The same for things with names; what is offered says name and date of each."""
    if connection.execute(select(columns.id).where(columns.id == given, *where).limit(1)).first():
        return given
    alike = _alike(connection, columns, given, *where)
    found = alike or _begun(connection, columns.id, given, *where)
    if len(found) == 1:
        return found[0]
    rows = select(columns.id, columns.name, columns.at).where(*where).order_by(columns.at.desc())
    if alike:
        told = _told(connection, rows.where(columns.id.in_(found)))
        raise AmbiguousNameError(kind, given, told, means="is the name of several", next_step="give one of these ids")
    if found:
        raise AmbiguousNameError(kind, given, _told(connection, rows.where(columns.id.in_(found))))
    newest = connection.execute(rows.limit(COMPARED)).all()
    spelled = [spelling for row in newest for spelling in (str(row[1]), str(row[0]))]
    raise UnknownNameError(kind, given, _told(connection, rows), alike=spelled)


def _begun(connection: Connection, column: "Column[str]", given: str, *where: Where) -> list[str]:
    # LIKE ignores case on some databases.
    begun = select(column).distinct().where(column.startswith(given, autoescape=True), *where).limit(OFFERED)
    return [name for name in connection.scalars(begun) if name.startswith(given)] if given else []


def _alike(connection: Connection, columns: Named, given: str, *where: Where) -> list[str]:
    """Ids of the things called `given`: the finished ones, else the others."""
    called = select(columns.id).where(columns.name == given, *where).order_by(columns.at.desc()).limit(OFFERED)
    return list(connection.scalars(called.where(columns.finished))) or list(connection.scalars(called))


def _told(connection: Connection, query: Rows) -> list[str]:
    """The first rows of a query of id, name and date, as they are offered."""
    return [f"{row[0]} ({row[1]}, {row[2]:%Y-%m-%d})" for row in connection.execute(query.limit(OFFERED))]
