"""Text that came from plugins and models, made harmless: it can neither steer a terminal nor become markup.

Control, format (bidirectional, zero-width) and unassigned characters are shown as escapes instead of being sent on.
"""

import re
import unicodedata

_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKUP = re.compile(r"([\\`*\[\]|~#!])")
_TAG = re.compile(
    r"<(?=\s*/?\s*(?:script|style|img|image|svg|math|iframe|frame|object|embed|link|meta|base|form|input|button|video|audio"
    r"|source|picture|template|a|body|html|head|title|textarea|table|tr|td|th|div|span|details|marquee)\b)",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[")
_RUN = re.compile(r"\b(?:javascript|vbscript):|\bdata:(?=[\w.+-]+/[\w.+-]+[;,])", re.IGNORECASE)
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def plain(text: str, width: int | None = None) -> str:
    """One line of printable text: line breaks as spaces, harmful characters escaped, cut at `width` characters."""
    shown = text if text.isprintable() else "".join(map(_visible, re.sub(r"[\r\n\t]+", " ", text)))
    return shown if width is None or len(shown) <= width else shown[: width - 1] + "…"


def _lines(text: str) -> str:
    """Text of several lines, which stay lines: everything else that is harmful is escaped."""
    if text.isprintable():
        return text
    return "".join(character if character in "\n\t" else _visible(character) for character in text)


def shown(text: str) -> str:
    """Text of several lines for readers of whom it is not known what they make of it: no active tag, no image that
    would be fetched, no link that would be run. Words of ours and markers of data stay as they are.
    """
    found = _IMAGE.sub(r"!\\[", _TAG.sub("&lt;", _lines(text)))
    return _RUN.sub(lambda link: link[0].replace(":", "&#58;"), found)


def code(text: str, width: int | None = None) -> str:
    """A markdown code span in which the text stands as it is, also inside a table; empty text gives no span."""
    shown = plain(text, width).strip()
    if not shown:
        return ""
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}".replace("|", r"\|")


def prose(text: str) -> str:
    """Markdown running text in which nothing is markup, link or HTML."""
    escaped = _MARKUP.sub(r"\\\1", plain(text))
    for character, entity in _ENTITIES.items():
        escaped = escaped.replace(character, entity)
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;")


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _HARMFUL:
        return character
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
