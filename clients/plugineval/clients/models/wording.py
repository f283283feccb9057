"""A provider's own words, cut to a length and to characters that can be shown and stored."""

import json
from typing import cast

from plugineval.pccf.values import Json

EXCERPT = 300


def error_text(body: str) -> str:
    """The provider's own sentence in an error body, or the beginning of whatever came instead."""
    try:
        document = cast("Json", json.loads(body))
    except (ValueError, RecursionError):
        return excerpt(body)
    error = (document.get("error") or document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return excerpt(error if isinstance(error, str) else body)
    parts = [str(error[key]) for key in ("message", "code") if error.get(key)]
    return excerpt(" / ".join(parts) or body)


def excerpt(text: str) -> str:
    """The beginning of `text` on one line."""
    flat = whole_characters(" ".join(text.split()))
    return flat if len(flat) <= EXCERPT else flat[:EXCERPT] + "…"


def whole_characters(text: str) -> str:
    """`text` with `?` for half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode()
