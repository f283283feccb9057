"""What was read of a file of real queries, in one or two lines for people."""

from typing import TYPE_CHECKING

from plugineval.server.cli.plain_text import printable
from plugineval.server.wording import counted, tallied

if TYPE_CHECKING:
    from plugineval.clients.traffic.query_file import QueryFile

_SHOWN = 3


def query_file_told(found: "QueryFile") -> str:
    """How many, what was masked, and which lines hold none."""
    number = len(found.queries)
    real = "1 real query" if number == 1 else f"{number} real queries"
    lines = [
        f"{real}; {found.repeated} repeated; masked: {tallied(found.masked)} "
        "(names of people are not recognised: read them before you share them)"
    ]
    if found.refused:
        shown = "; ".join(each.sentence for each in found.refused[:_SHOWN])
        lines.append(printable(f"{counted(len(found.refused), 'line')} without a query: {shown}"))
    return "\n".join(lines)
