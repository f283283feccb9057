"""What an argument's description says beyond its schema: listed values, examples, a format, a fallback."""

import re

from plugineval.clients.baseline.words import each_word
from plugineval.pccf.values import Value

_QUOTED = re.compile(r"['\"`‘“]([^'\"`’”]{1,60})['\"`’”]")
_EXAMPLES = re.compile(
    r"\b(?:e\.?\s?g\.?|for example|for instance|such as|example[s]?:|like)[,:]?\s*([^()]*)", re.IGNORECASE
)
_BRACKET = re.compile(r"(?<![^\s'\"])\(([^()]*)\)")
_ONE_OF = re.compile(
    r"\b(?:one of|either|allowed(?: values)?|options?|values?|choices?)(?: are| is)?:?\s+([^.;()]+)", re.IGNORECASE
)
_FALLBACK = re.compile(
    r"\b(?:use|defaults? to|default(?: is|:))\s+['\"`]?([\w/+.\-]+?)['\"`]?(?=[\s,.;)]|$)([^.]*)", re.IGNORECASE
)
_OPEN = re.compile(r"\betc\b|\.\.\.|…|e\.g\.|for example|such as", re.IGNORECASE)
_WORDLIKE = re.compile(r"[A-Za-z][\w .&-]*")
_FORMAT = re.compile(
    r"\b(HH:MM(?::SS)?|YYYY-MM-DD(?:[T ]HH:MM(?::SS)?)?|DD[./-]MM[./-]YYYY|MM[./-]DD[./-]YYYY|YYYY-MM)\b"
)
_NOT_VALUES = frozenset(
    each_word("string number integer boolean array object null default optional required inclusive")
)


class Hints(Value):
    """Hints of one description."""

    listed: tuple[str, ...] = ()
    """Values that the description lists, as spelled there."""
    open_list: bool = False
    """The list ends in "etc." or is introduced as examples: other values may be fine."""
    examples: tuple[str, ...] = ()
    time_format: str | None = None
    fallback: str | None = None
    """The value to use when the user names none."""


def hints_of(description: str) -> Hints:
    """All hints of `description`."""
    examples = _examples(description)
    listed = () if examples else _listed(description)
    stated = _FORMAT.search(description)
    return Hints(
        listed=listed,
        open_list=bool(_OPEN.search(description)),
        examples=examples,
        time_format=stated.group(1) if stated else None,
        fallback=_fallback(description),
    )


def _examples(description: str) -> tuple[str, ...]:
    found = _EXAMPLES.search(description)
    if not found:
        return ()
    quoted = tuple(_QUOTED.findall(found.group(1)))
    return quoted or tuple(re.findall(r"[^\s,;]+", found.group(1).rstrip(" .")))[:4]


def _listed(description: str) -> tuple[str, ...]:
    for inside in _BRACKET.findall(description):
        items = _items(inside)
        if len(items) >= 2:
            return items
    quoted = tuple(dict.fromkeys(_QUOTED.findall(_FALLBACK.sub("", description))))
    if len(quoted) >= 2 and all(_WORDLIKE.fullmatch(value) for value in quoted):
        return quoted
    named = _ONE_OF.search(description)
    items = _items(named.group(1)) if named else ()
    return items if len(items) >= 2 else ()


def _items(text: str) -> tuple[str, ...]:
    """The items of "a, b or c"; nothing where an item is prose or where no separator shows a list."""
    pieces = [piece.strip(" '\"`.…") for piece in re.split(r",|;|\||\bor\b|\band\b", text)]
    items = [piece for piece in pieces if piece and piece.lower() != "etc" and piece.lower() not in _NOT_VALUES]
    prose = any(len(item.split()) > 3 or len(item) > 40 or not _WORDLIKE.fullmatch(item) for item in items)
    return () if prose else tuple(dict.fromkeys(items))


def _fallback(description: str) -> str | None:
    for found in _FALLBACK.finditer(description):
        value, rest = found.groups()
        stated = found.group(0).lower().startswith("default")
        if stated or re.search(r"\bif (?:no|not|none|omitted|unspecified|missing)\b", rest, re.IGNORECASE):
            return value
    return None
