"""`look` of a plugin's table: calls by which a query writer is shown what the server holds, before it writes."""

from plugineval.pccf.values import Arguments, Value


class Look(Value):
    """One call of a tool that policy allows, as a person wrote it down."""

    tool: str
    arguments: Arguments = {}
