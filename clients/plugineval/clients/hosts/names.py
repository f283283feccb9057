"""Names that a registration accepts, made from whatever a host calls its servers; two alike are numbered."""

import re
from collections.abc import Iterable

_LIMIT = 64


def plugin_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted` in letters, digits, `_` and `-`, at most 64 of them, and none of `taken`."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", wanted).strip("-")[:_LIMIT] or "plugin"
    used = set(taken)
    name, count = plain, 2
    while name in used:
        suffix = f"-{count}"
        name, count = plain[: _LIMIT - len(suffix)] + suffix, count + 1
    return name


def variable_name(*parts: str) -> str:
    """The name of an environment variable made of `parts`: `("git hub", "token")` gives `GIT_HUB_TOKEN`."""
    words = re.sub(r"[^A-Za-z0-9]+", "_", "_".join(part for part in parts if part)).strip("_").upper()
    return words if words[:1].isalpha() else f"PLUGIN_{words}".rstrip("_")
