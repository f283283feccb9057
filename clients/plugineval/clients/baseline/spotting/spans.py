"""Spans of a text that are values as they stand: quoted strings, addresses, paths, identifiers, JSON, named values."""

import json
import re

from plugineval.clients.baseline.spotting.found import Found, matches
from plugineval.clients.baseline.words import function_word, tokens
from plugineval.pccf.values import Json

_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”|(?<!\w)'([^'\n]+)'(?!\w)|`([^`\n]+)`|«([^»\n]+)»")
_EMAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_URL = re.compile(r"\b(?:https?|ftp)://[^\s<>\"']+[\w/]")
_PATH = re.compile(
    r"(?<![\w/:.])(?:~?(?:\.{0,2}/)+(?:[\w.@-]+/)*[\w.@-]*[\w@-]/?|[\w-]+(?:/[\w.-]+)*\.[a-z]{1,5}\b(?!\.\w)|\.{1,2}/(?!\w|\.\w)"
    r"|(?<=\s)\.{1,2}(?=\s|,|$))"
)
_IDENTIFIER = re.compile(
    r"(?<![\w./:-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*(?![\w/:-]|\.\d)"
)
_END = r"(?=\s*(?:$|[,;?!]|\.(?:\s|$)|\s(?:and|with|from|to|in|on|at|for|using|please|as|by)\b))"


def quoted_in(text: str) -> list[Found]:
    """Strings in quotation marks, without the marks (the span includes them)."""
    found: list[Found] = []
    for match in _QUOTED.finditer(text):
        inside = next(group for group in match.groups() if group is not None)
        found.append(Found(inside, match.start(), match.end(), "quoted"))
    return found


def emails_in(text: str) -> list[Found]:
    """E-mail addresses."""
    return matches(_EMAIL, text, "address")


def urls_in(text: str) -> list[Found]:
    """URLs."""
    return matches(_URL, text, "address")


def paths_in(text: str) -> list[Found]:
    """File paths and file names."""
    taken = urls_in(text) + emails_in(text)
    return [found for found in matches(_PATH, text, "path") if not found.within(taken)]


def identifiers_in(text: str) -> list[Found]:
    """Codes that mix letters and digits."""
    return matches(_IDENTIFIER, text, "identifier")


def literals_in(text: str) -> list[Found]:
    """JSON arrays and objects written out in the text, outermost only."""
    found: list[Found] = []
    at = 0
    while opening := re.compile(r"[\[{]").search(text, at):
        at = opening.start() + 1
        try:
            value, length = json.JSONDecoder().raw_decode(text[opening.start() :])
        except (json.JSONDecodeError, RecursionError):
            continue
        literal: Json = value
        at = opening.start() + length
        found.append(Found(literal, opening.start(), at, "JSON in the text"))
    return found


def named_in(text: str, label: str) -> list[Found]:
    """What follows the argument's own name: "title is VALUE", "title: VALUE", "with the title VALUE" (one word)."""
    name = r"[\s_-]+".join(re.escape(word) for word in label.split())
    linked = rf"\s*(?:\b(?:is|are|should be|set to|called|named)\b|=|:)\s*(?P<linked>[^\s,;?!]+?(?: [^,;?!]*?)?){_END}"
    pattern = re.compile(
        rf"(?<!\w){name}(?:{linked}|(?:\s+of)?\s+(?P<word>[^\s,;?!]+?)(?=[.,;?!]*(?:\s|$)))", re.IGNORECASE
    )
    found: list[Found] = []
    for match in pattern.finditer(text):
        group = "linked" if match["linked"] else "word"
        value = match[group].strip("\"'`“”")
        if value and tokens(value)[:1] != [] and not function_word(value.split()[0]):
            found.append(Found(value, match.start(group), match.end(group), f"named {label!r}"))
    return found
