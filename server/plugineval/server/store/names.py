"""How a person names a stored thing: its id, or a beginning of the id that no other has."""

from sqlalchemy import Column, ColumnElement, Connection, select

from plugineval.pccf.errors import UnknownNameError

OFFERED = 20


def resolve(connection: Connection, column: "Column[str]", kind: str, given: str, *where: ColumnElement[bool]) -> str:
    """The one id that `given` means; `UnknownNameError` where there is none, or more than one."""
    if connection.execute(select(column).where(column == given, *where).limit(1)).first():
        return given
    # LIKE ignores case on some databases.
    begun = select(column).distinct().where(column.startswith(given, autoescape=True), *where).limit(OFFERED)
    found = [name for name in connection.scalars(begun) if name.startswith(given)] if given else []
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownNameError(f"single {kind}", given, found, next_step="give more of the id")
    known = connection.scalars(select(column).distinct().where(*where).order_by(column.desc()).limit(OFFERED))
    raise UnknownNameError(kind, given, known)
