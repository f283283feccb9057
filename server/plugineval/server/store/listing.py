"""Pages of a listing. A cursor is opaque and holds the place of the last item, so rows that arrive do not move it."""

import base64
import binascii
import json
from datetime import datetime
from typing import Generic, TypeVar, cast

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value

T = TypeVar("T")

MAX_LIMIT = 500


class Page(Value, Generic[T]):
    """Some items, and the cursor of the next page; None on the last."""

    items: tuple[T, ...]
    next_cursor: str | None = None


def checked_limit(limit: int) -> int:
    """`limit`, if it lies in [1, 500]; `ConfigurationError` otherwise."""
    if not 1 <= limit <= MAX_LIMIT:
        raise ConfigurationError(f"must lie between 1 and {MAX_LIMIT}, not {limit}", field="limit")
    return limit


def place_cursor(*place: str | int) -> str:
    """The opaque cursor of a place in a listing."""
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def newest_place(cursor: str) -> tuple[datetime, str]:
    """The (moment, id) of a newest-first listing's cursor."""
    place = _place(cursor)
    try:
        moment = datetime.fromisoformat(str(place[0]))
        if len(place) == 2 and moment.tzinfo is not None:
            return moment, str(place[1])
    except (ValueError, IndexError):
        pass
    raise _refused(cursor)


def position_place(cursor: str) -> int:
    """The position of an ordered listing's cursor."""
    match _place(cursor):
        case [int(position)]:
            return position
        case _:
            raise _refused(cursor)


def _place(cursor: str) -> list[object]:
    try:
        place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error) as error:
        raise _refused(cursor) from error
    if not isinstance(place, list):
        raise _refused(cursor)
    return cast("list[object]", place)


def _refused(cursor: str) -> ConfigurationError:
    return ConfigurationError(
        f"{cursor!r} is not a cursor of this listing",
        field="cursor",
        next_step="leave it out to start from the first page, or pass the next_cursor of the page before unchanged",
    )
