"""Tables as plain rows of text, shared by markdown, terminal and export. Cells are one line and harmless to print."""

from collections.abc import Iterable
from enum import StrEnum

from plugineval.harness.rendering.neutral import plain
from plugineval.harness.statistics.differences import Difference
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value

NOTHING = "–"


class ColumnKind(StrEnum):
    """How a column is shown."""

    TEXT = "text"
    """Our own words."""
    DATA = "data"
    """Words of plugins, models and users."""
    NUMBER = "number"
    """Right-aligned."""


class Column(Value):
    """Heading and kind."""

    name: str
    kind: ColumnKind = ColumnKind.NUMBER


class Table(Value):
    """A titled table; `note` is a line of our own below it."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def __hash__(self) -> int:
        """Tables that were laid out once are looked up."""
        return hash((self.key, self.title, self.rows))


def text(name: str) -> Column:
    """A column of our own words."""
    return Column(name=name, kind=ColumnKind.TEXT)


def data(name: str) -> Column:
    """A column of foreign words."""
    return Column(name=name, kind=ColumnKind.DATA)


def numbers(*names: str) -> tuple[Column, ...]:
    """Right-aligned columns."""
    return tuple(Column(name=name) for name in names)


def table_of(
    key: str, title: str, columns: Iterable[Column], rows: Iterable[Iterable[str]], *, note: str = ""
) -> Table:
    """A table whose cells have been made printable."""
    cells = tuple(tuple(plain(cell) for cell in row) for row in rows)
    return Table(key=key, title=title, columns=tuple(columns), rows=cells, note=note)


def percent(rate: Rate) -> str:
    """`83.3 %`, or a dash without a denominator."""
    return NOTHING if rate.value is None else f"{100 * rate.value:.1f} %"


def fraction(rate: Rate) -> str:
    """`25/30`."""
    return f"{rate.numerator}/{rate.denominator}"


def interval(rate: Rate) -> str:
    """`66.4–92.7`, in percent."""
    return NOTHING if rate.low is None or rate.high is None else f"{100 * rate.low:.1f}–{100 * rate.high:.1f}"


def percent_of(rate: Rate | None) -> str:
    """`83.3 % (25/30)`: never a percentage alone."""
    return NOTHING if rate is None or rate.value is None else f"{percent(rate)} ({fraction(rate)})"


def span_of(found: Difference | None) -> str:
    """`-8.4 to +2.3`, in percentage points."""
    return NOTHING if found is None else f"{100 * found.low:+.1f} to {100 * found.high:+.1f}"


def points(spread: float | None) -> str:
    """A difference of two rates, in percentage points."""
    return NOTHING if spread is None else f"{round(100 * spread, 1) + 0.0:.1f} pp"
