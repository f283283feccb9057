"""What a string looks like by itself, told by its first glance: cheap, because it is asked of every pair of strings.

A shape only proposes a kind; the rule of the kind reads the whole value.
"""

import re
from functools import lru_cache

from plugineval.harness.equivalence.rules.domain.kinds import Kind

_LONGEST = 400
_NUMBER = r"[+\-−]?(?:\d|\.\d)[\d.,  ]*"
_MARKS = "$€£¥￥₹₩₽₺₪฿₫₴₦₱"
_SHAPES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    (Kind.CURRENCY, re.compile(rf".{{0,3}}[{_MARKS}]")),
    (Kind.URL, re.compile(r"[a-z][a-z0-9+.\-]*://\S+$", re.IGNORECASE)),
    (Kind.EMAIL, re.compile(r"(mailto:)?[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$|.*<[^\s@]+@[^\s@]+>$", re.IGNORECASE)),
    (Kind.UUID, re.compile(r"(urn:uuid:)?\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$", re.IGNORECASE)),
    (
        Kind.ADDRESS,
        re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(/\d+)?$|[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*(/\d+)?$", re.IGNORECASE),
    ),
    (Kind.PHONE, re.compile(r"(?:tel:)?(?:\+|00)[\d\s().\-/]{7,24}(?:(?:x|ext\.?)\s*\d+)?$", re.IGNORECASE)),
    (
        Kind.QUANTITY,
        re.compile(rf"{_NUMBER}\s*(?:[a-zA-Zµμ°℃℉%'\"′″][^\d]{{0,30}}\d?|.*\d\s*(?:in|\"|″|oz|lb|cm|g|m))$"),
    ),
    (
        Kind.MONEY,
        re.compile(rf".{{0,6}}[{_MARKS}]\s*\d|{_NUMBER}\s*[{_MARKS}]|{_NUMBER}\s*[A-Z]{{3}}$|[A-Z]{{3}}\s*\d"),
    ),
    (
        Kind.COORDINATES,
        re.compile(
            r"[(\[]?\s*-?\d{1,3}(\.\d+)?\s*,\s*-?\d{1,3}\.\d+\s*[)\]]?$"
            r"|(?=[^NS]{0,60}[NS])(?=[^EW]{0,60}[EW])[NSEW\d(\-][^\n]{3,60}$"
        ),
    ),
    (
        Kind.RANGE,
        re.compile(
            r"(?:from |between )?-?\d[\d.,]*\s*(?:-|–|—|\.\.+|to|and|until|through)\s*-?\d[\d.,]*\D{0,20}$"
            r"|[<>≤≥\[]|-?\d[\d.,]*\s*(?:\+|(?:or|and)\s[a-z]+)$"
            r"|(?:at least|at most|mini?m?u?m?|maxi?m?u?m?|over|under|above|below|more than|less than|up to|from)\s",
            re.IGNORECASE,
        ),
    ),
    (
        Kind.MIME,
        re.compile(r"\s*(?:application|audio|font|image|message|model|multipart|text|video)/\w", re.IGNORECASE),
    ),
    (Kind.PATH, re.compile(r"(?:\.{1,2}|~)?/[^\n]*$|[A-Za-z]:\\|\\\\\w")),
)
_SQL = re.compile(
    r"\s*(?:select\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s"
    r"|(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+)?(?:unique\s+)?(?:table|view|index)\s)",
    re.IGNORECASE,
)
_NOTHING: frozenset[Kind] = frozenset()
_STATEMENT = frozenset({Kind.SQL})
_TELLING = re.compile(rf"[\d@/:\\{_MARKS}]")
"""Every shape but SQL needs one of these."""


def shapes(text: str) -> frozenset[Kind]:
    """The kinds `text` looks like."""
    return _short(text) if len(text) <= _LONGEST else _long(text)


@lru_cache(maxsize=16384)
def _short(text: str) -> frozenset[Kind]:
    stripped = text.strip()
    if not _TELLING.search(stripped):
        return _long(text) if " " in stripped else _NOTHING
    found = {kind for kind, pattern in _SHAPES if pattern.match(stripped)}
    return frozenset(found) | _long(text) if found or " " in stripped else _NOTHING


def _long(text: str) -> frozenset[Kind]:
    return _STATEMENT if _SQL.match(text) else _NOTHING
