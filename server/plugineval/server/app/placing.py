"""Cursors of lists that are made whole: how many members were shown before."""

from plugineval.pccf.errors import InvalidRecordError


def place_of(cursor: str | None) -> int:
    """How many members come before this page; `InvalidRecordError` for what is no cursor."""
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
        raise InvalidRecordError(
            f"{cursor!r} is not a cursor", field="cursor", next_step="take next_cursor of the page before"
        )
    return int(cursor)


def place_after(shown: int, total: int) -> str | None:
    """The cursor of the next page; None after the last."""
    return str(shown) if shown < total else None
