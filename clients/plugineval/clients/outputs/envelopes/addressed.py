"""Text that addresses an offered tool: ReAct steps, lines of code, half-written JSON, tags named after the tool.

Only the names of offered tools tell such text from prose, and a name alone is never enough: concrete arguments, or
the words of a known protocol, must stand beside it.
"""

import re
from collections.abc import Callable, Collection, Iterator

from plugineval.clients.outputs.envelopes.surface import FENCE

_INLINE_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_PROGRAM = re.compile(r"^[ \t]*(?:import|from|def|async def|class|function|const|let)\s", re.MULTILINE)
_WRAPPING = " \t\r\n`.;"
_ARGUMENT_KEY = r"(?:arguments|parameters|args|action_input|tool_input|input)"
_ANNOUNCED = (
    r"(?:[^\n]{0,200}?\b(?:calling|invoking|(?:i(?:['’]ll| will| am going to|['’]m going to)(?: now)?|let me)"
    r" (?:call|use|run|invoke))\s+(?:the (?:tool|function)\s+)?)?"
)
_BEFORE_A_CALL = (
    rf"(?i:{_ANNOUNCED}(?:[\w.]+\s*=\s*|await\s+|print\(|(?:functions|default_api|tools)\."
    r"|(?:call|function call|tool call|tool_call|action)[*]*:[ \t]*){0,3})"
)
_CONCRETE = re.compile(r"\s*(?:\w+\s*[=:]\s*(?![=\s])|[\"'\d\[{-])")
_PLACEHOLDER = re.compile(r"(?:^|[\"'(,=])\s*(?:\.\.\.|…)\s*(?:[\"'),]|$)|[\"']<[\w -]+>[\"']")
_DRESS = r"[ \t*\"'`,-]*"
_LONGEST = 5_000


def addressed(text: str, offered: Collection[str]) -> str | None:
    """How `text` (thoughts set aside) addresses one of `offered` with a call, or None where it only speaks of it."""
    mentioned = [re.escape(name) for name in offered if name and name in text]
    if not mentioned:
        return None
    name = rf"(?:{'|'.join(sorted(mentioned, key=len, reverse=True))})"
    lone = text.strip(_WRAPPING)
    said = lone if _lone_code(text, lone) else _INLINE_CODE.sub(" ", FENCE.sub(_opened, text))
    return next((way for way, found in _WAYS if found(said, name)), None)


def _lone_code(text: str, lone: str) -> bool:
    """The whole answer is one piece of inline code."""
    return text.strip().startswith("`") and not text.strip().startswith("```") and "`" not in lone


def _opened(fence: re.Match[str]) -> str:
    """What a fence holds, unless it is a program that somebody may have asked for."""
    return " " if _PROGRAM.search(fence[2]) else f"\n{fence[2]}\n"


def _stepped(text: str, name: str) -> bool:
    line = rf"^[ \t>*#-]*(?i:Action){_DRESS}:{_DRESS}\n?{_DRESS}{name}{_DRESS}(?:$|[\[({{])"
    return bool(re.search(line, text, re.MULTILINE))


def _listed(text: str, name: str) -> bool:
    """`tool: NAME` and `arguments:` in the lines after it."""
    said = rf"^{_DRESS}(?i:tool|tool[_ ]name|function|name){_DRESS}:{_DRESS}{name}{_DRESS}"
    return bool(re.search(rf"{said}\n+{_DRESS}(?i:{_ARGUMENT_KEY}){_DRESS}:", text, re.MULTILINE))


def _coded(text: str, name: str) -> bool:
    """A call with concrete arguments that ends its line, or that breaks off with the text."""
    opening = re.compile(rf"^[ \t]*{_BEFORE_A_CALL}{name}\(", re.MULTILINE)
    return any(_called(inside, after) for inside, after in _bracketed(text, opening))


def _called(inside: str, after: str | None) -> bool:
    if not _CONCRETE.match(inside) or _PLACEHOLDER.search(inside):
        return False
    return after is None or not after.strip(" \t\r);.`*,")


def _bracketed(text: str, opening: re.Pattern[str]) -> Iterator[tuple[str, str | None]]:
    """What stands in the brackets of each opening, and the rest of their last line; None where they stay open."""
    for found in opening.finditer(text):
        end = _closing(text, found.end())
        if end is None:
            yield text[found.end() : found.end() + _LONGEST], None
        else:
            yield text[found.end() : end], text[end + 1 :].split("\n", 1)[0]


def _closing(text: str, start: int) -> int | None:
    depth = 1
    for piece in re.finditer(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()]", text[start : start + _LONGEST]):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if depth == 0:
            return start + piece.start()
    return None


def _followed(text: str, name: str) -> bool:
    """`NAME {…}` or `NAME: {…}` at the beginning of a line."""
    return bool(re.search(rf"^[ \t*`]*{name}[*`]*\s*(?::\s*)?\{{\s*[\"'}}]", text, re.MULTILINE))


def _keyed(text: str, name: str) -> bool:
    """Objects, whole or cut, in any quotes: `{"name": NAME, "arguments": …}`, `{NAME: {…}}`, `{"tool": NAME}`."""
    called = rf"[\"'](?:name|tool|tool_name|function|action)[\"']\s*:\s*[\"']{name}[\"']"
    given = rf"[\"']{_ARGUMENT_KEY}[\"']\s*:(?!\s*\{{\s*[\"'](?:type|properties)[\"'])"
    if re.search(rf"{called}\s*,[^{{}}]{{0,500}}?{given}|{given}[^\n]{{0,2000}}{called}", text):
        return True
    whole = text.strip()
    lone = rf"\[?\s*\{{\s*(?:[\"']{name}[\"']\s*:\s*\{{|{called}\s*\}}|{called.replace('name|', '', 1)}\s*,)"
    return bool(re.match(lone, whole))


def _tagged(text: str, name: str) -> bool:
    """`<NAME>` around tags or an object, `<NAME key="…"/>`, `<tool>NAME</tool>`."""
    inside = rf"^[ \t]*<{name}(?:>\s*[<{{]|\s+\w+=[\"'])|<(?:tool|tool_name|function|name)>\s*{name}\s*</"
    return bool(re.search(inside, text, re.MULTILINE))


_WAYS: tuple[tuple[str, Callable[[str, str], bool]], ...] = (
    ("an Action step", _stepped),
    ("a tool and its arguments in lines", _listed),
    ("a line of code", _coded),
    ("a name followed by an object", _followed),
    ("an object that names the tool", _keyed),
    ("tags that name the tool", _tagged),
)
