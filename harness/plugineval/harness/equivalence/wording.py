"""The words an argument goes by, and a text in the form in which two texts are compared: what never carries meaning is
gone (Unicode form, width, typographic quotes, amount of white space), everything else is kept.
"""

import re
import unicodedata
from functools import lru_cache

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SPACE = re.compile(r"\s+")
_COMMA = re.compile(r"\s*,\s*")
_TYPOGRAPHIC = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "`": "'", "´": "'"}
    | {"“": '"', "”": '"', "„": '"', "‟": '"', "″": '"', "«": '"', "»": '"'}
    | {"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"}
    | {"\u200b": "", "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "\u00ad": ""}
)


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """`startTime`, `start_time` and `start-time` as ("start", "time")."""
    return tuple(word.lower() for word in _WORDS.findall(name))


@lru_cache(maxsize=8192)
def surface(text: str) -> str:
    """`text` without what never carries meaning; case and punctuation are kept."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHIC)).translate(_TYPOGRAPHIC)).strip()


@lru_cache(maxsize=8192)
def loose(text: str) -> str:
    """The surface without case, spaces around commas and a final full stop."""
    plain = _COMMA.sub(", ", surface(text).casefold())
    return plain.rstrip(".").rstrip() if len(plain) > 1 and not plain.endswith("..") else plain
