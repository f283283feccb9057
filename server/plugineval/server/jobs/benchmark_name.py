"""What people may call a benchmark: one short line, so that it fits a table, a terminal and the answer of a tool."""

from plugineval.pccf.errors import ConfigurationError

LONGEST = 80
"""Characters."""


def require_name(name: str) -> str:
    """`name`, or `ConfigurationError` where it is blank, too long, or holds what cannot be printed."""
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise ConfigurationError(
            f"a benchmark's name is one line of 1 to {LONGEST} characters that can be printed", field="name"
        )
    return name
