"""Names that every provider accepts, mapped back to the names that were offered.

Providers take `^[A-Za-z0-9_-]{1,64}$`; MCP tools and public data sets use dots, slashes and more. The mapping is one
to one within a tool set: a name that needs no change keeps it, and one whose safe form is taken or too long ends in
a piece of its own hash.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from plugineval.pccf.values import content_hash

_SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_UNSAFE_CHARACTER = re.compile(r"[^A-Za-z0-9_-]")


class Names(NamedTuple):
    """`sent`: offered name -> name on the wire. `offered`: name on the wire -> offered name."""

    sent: dict[str, str]
    offered: dict[str, str]

    def back(self, wire_name: str) -> str:
        """The offered name a model meant; a name that was never sent stays as it came."""
        return self.offered.get(wire_name, wire_name)


def safe_names(offered: Sequence[str]) -> Names:
    """Distinct safe names for `offered`, which are distinct themselves."""
    sent: dict[str, str] = {name: name for name in offered if _SAFE.fullmatch(name)}
    taken = set(sent)
    for name in offered:
        if name not in sent:
            sent[name] = _free_name(name, taken)
            taken.add(sent[name])
    return Names(sent={name: sent[name] for name in offered}, offered={wire: name for name, wire in sent.items()})


def _free_name(name: str, taken: set[str]) -> str:
    plain = _UNSAFE_CHARACTER.sub("_", name)
    if _SAFE.fullmatch(plain) and plain not in taken:
        return plain
    digest = content_hash(name)
    lengths = range(8, len(digest) + 1)
    return next(found for n in lengths if (found := f"{plain[: 63 - n] or 'tool'}_{digest[:n]}"[:64]) not in taken)
