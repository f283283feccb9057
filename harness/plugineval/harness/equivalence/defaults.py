"""What a call holds under a name: the value given, or the default that stands in where it is left out (D13).

A default is what the schema's keyword says, or else what its description says in so many words. Null on an optional
argument is an omission, unless the schema names null without calling it the default: then it may mean something.
"""

import json
import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.values import Arguments, Json

_SAID = re.compile(
    r"\bdefaults?(?:\s+value)?(?:\s+is|\s+to|:|\s*=|\s+(?=['\"`\d-]|true\b|false\b))\s*"
    r"(?P<quote>['\"`“])?(?P<value>(?(quote)[^'\"`”]*|[^\s,;()'\"]+))",
    re.IGNORECASE,
)
_READS = re.compile(r"\b(?:find|list|search|get|show|look(?:s|ing)? ?up|fetch|filter|return|retriev)", re.IGNORECASE)
_MEANS_SOMETHING = re.compile(
    r"\b(?:null|none|unset|clear|reset|remov|delet|empt|updat|chang|modif|edit|patch|set|replac|unassign|without)",
    re.IGNORECASE,
)
_LITERALS: dict[str, Json] = {"true": True, "false": False, "none": None, "null": None}


class Held(NamedTuple):
    """What an object holds under a name that it leaves out: the default, which stands in."""

    value: Json
    known: bool
    """Whether there is one."""
    nulled: bool = False
    """An explicit null that stands for an omission and that the schema does not allow."""


def left_out(arguments: Arguments, name: str, child: Node) -> Held:
    """The effective value under `name`, which `arguments` do not give."""
    found = default_of(child)
    return Held(found.value, found.known, nulled=name in arguments and not child.admits(None))


def gives(value: Json, name: str, parent: Node, child: Node) -> bool:
    """Whether `value` is one, and not the null that leaves an optional argument out."""
    return value is not None or parent.requires(name) or child.means_null()


def only_reads(said: str) -> bool:
    """Whether the descriptions speak of looking something up, and of nothing that a null could mean there."""
    return _READS.search(said) is not None and _MEANS_SOMETHING.search(said) is None


class Default(NamedTuple):
    """The default of an argument, where there is one."""

    value: Json = None
    known: bool = False


_UNKNOWN = Default()


def default_of(node: Node) -> Default:
    """The schema's `default`, or the one its description names."""
    if "default" in node.schema:
        return Default(node.schema["default"], known=True)
    return _said(node.description, node.types) if node.description else _UNKNOWN


@lru_cache(maxsize=4096)
def _said(description: str, types: frozenset[str]) -> Default:
    found = _SAID.search(description)
    if found is None:
        return Default()
    text = found["value"].rstrip(".")
    if found["quote"] or types <= {"string"}:
        return Default(text, known=bool(text) and (text.lower() not in _LITERALS or found["quote"] is not None))
    return _literal(text)


def _literal(text: str) -> Default:
    if text.lower() in _LITERALS:
        return Default(_LITERALS[text.lower()], known=True)
    try:
        value: Json = json.loads(text)
    except ValueError:
        return Default()
    return Default(value, known=not isinstance(value, dict | list))
