"""Answer leaks: queries that hold what a model is to find out, the name to call or the arguments as a program spells
them (P29).
"""

import json
import re
from collections.abc import Iterable, Iterator

from plugineval.pccf.tools import ToolSpec

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
_BRACES = re.compile(r"\{[^{}]*\}")
_CALL = re.compile(r"[A-Za-z_][\w.]*\s?\(([^()]*)\)")


def leaked_name(text: str, names: Iterable[str]) -> str | None:
    """The first of `names` that stands in `text` as a name; everyday words count only where they are written as one."""
    return next((name for name in names if _stands_as_name(name, text)), None)


def leaked_arguments(text: str, tool: ToolSpec) -> str | None:
    """The piece of `text` that spells an argument of `tool` as a program would.

    An object with an argument as key; `timezone=Europe/Berlin`; `source_timezone: Europe/Berlin`; arguments in a call
    expression such as `f(a=1)`. A single letter counts in a call only, and among several: "for x = 3" is mathematics.
    Addresses and quoted text are values, not spellings of arguments.
    """
    if not tool.properties:
        return None
    if any(tool.properties.keys() & found.keys() for found in _json_objects(text)):
        return "a JSON object with arguments"
    names = "|".join(sorted(map(re.escape, tool.properties), key=len, reverse=True))
    for braces in _BRACES.finditer(text):
        if re.search(rf"[{{,]\s*[\"']?(?:{names})[\"']?\s*[:=]", braces.group()):
            return braces.group()
    plain = _QUOTED.sub('""', _URL.sub(" ", text))
    return _assigned(plain, names) or _in_a_call(plain, names)


def _assigned(text: str, names: str) -> str | None:
    found = list(re.finditer(rf"(?<![\w.\"'-])({names})(\s*=(?!=)\s*|:\s+)\S+", text))
    spelled = [each for each in found if "=" in each[2] or re.search(r"_|[a-z][A-Z]", each[1])]
    telling = [each for each in spelled if len(each[1]) > 1 or len(spelled) > 1]
    return telling[0].group() if telling else None


def _in_a_call(text: str, names: str) -> str | None:
    calls = (call for call in _CALL.finditer(text) if re.search(rf"(?:^|,)\s*(?:{names})\s*=(?!=)", call[1]))
    return next((call.group() for call in calls), None)


def _stands_as_name(name: str, text: str) -> bool:
    word = re.escape(name)
    if re.fullmatch(r"[A-Za-z][a-z]*", name):
        written_as_name = rf"`{word}`|\b{word}\s?\(|\b{word} (?:tool|function)\b|\b(?:tool|function) [\"'`]?{word}\b"
        return re.search(written_as_name, text, re.IGNORECASE) is not None
    return re.search(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])", text, re.IGNORECASE) is not None


def _json_objects(text: str) -> Iterator[dict[str, object]]:
    decoder = json.JSONDecoder()
    for brace in re.finditer(r"\{", text):
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found
