"""Sets and removes members of the objects in a JSON text; every other character stays as it was written.

Comments and trailing commas are stepped over. Values are read by the JSON parsers; only what stands between them is
ours: where a member begins and ends, and which comma is its own.
"""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from plugineval.pccf.values import Json

_GAP = re.compile(r"(?:\s+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)


class UnclearTextError(ValueError):
    """The text is not written in a way that can be changed for sure; says what is unusual about it."""


class Member(NamedTuple):
    """`"key": value,` as offsets into the text."""

    key: str
    start: int
    value: int
    end: int
    """Behind the value."""
    comma: int | None
    """Of the comma behind it, where there is one."""

    @property
    def behind(self) -> int:
        """Behind all of it."""
        return self.end if self.comma is None else self.comma + 1


class Table(NamedTuple):
    """An object of the text: its braces and its members."""

    start: int
    end: int
    """Of the closing brace."""
    members: tuple[Member, ...]

    def named(self, key: str) -> Member | None:
        """The member of that name; `UnclearTextError` where there are two of them."""
        found = [member for member in self.members if member.key == key]
        if len(found) > 1:
            raise UnclearTextError(f"{key!r} is there twice")
        return found[0] if found else None


def with_value(text: str, path: Sequence[str], value: Json) -> str:
    """`text` with the value at `path` of its object; objects on the way that are missing are made."""
    return _put(text, _behind_gap(text, 0), path, value)


def without_value(text: str, path: Sequence[str]) -> str:
    """`text` without the member at `path`, or `text` where there is none."""
    start = _behind_gap(text, 0)
    for depth, key in enumerate(path):
        table = _table(text, start)
        member = table.named(key)
        if member is None:
            return text
        if depth == len(path) - 1:
            return _taken_out(text, table, member)
        start = member.value
    return text


def _put(text: str, start: int, path: Sequence[str], value: Json) -> str:
    table = _table(text, start)
    key, rest = path[0], path[1:]
    member = table.named(key)
    if member is None:
        for name in reversed(rest):
            value = {name: value}
        return _added(text, table, key, value)
    if rest:
        return _put(text, member.value, rest, value)
    written = _written(text, value, _indent_at(text, member.start), inline=not _on_own_line(text, member.start))
    return text[: member.value] + written + text[member.end :]


def _added(text: str, table: Table, key: str, value: Json) -> str:
    """The new member goes behind the last one and what is said about that; a comma behind the last one is kept up."""
    last = table.members[-1] if table.members else None
    content_end = len(text[: table.end].rstrip())
    inline = "\n" not in text[table.start : table.end] and (last is not None or _in_one_line(text))
    indent = _indent_at(text, last.start) if last else _indent_at(text, table.start) + _unit(text)
    written = f"{json.dumps(key)}: {_written(text, value, indent, inline=inline)}"
    comma = "," if last is not None and last.comma is not None else ""
    lead = (" " if last else "") if inline else _line_end(text) + indent
    tail = text[content_end : table.end]
    if not inline and "\n" not in tail:
        tail = _line_end(text) + _indent_at(text, table.start)
    before = text[:content_end]
    if last is not None and last.comma is None:
        before = text[: last.end] + "," + text[last.end : content_end]
    return before + lead + written + comma + tail + text[table.end :]


def _taken_out(text: str, table: Table, member: Member) -> str:
    position = table.members.index(member)
    before = table.members[position - 1] if position else None
    from_ = before.behind if before else table.start + 1
    gap = text[from_ : member.start]
    cut = from_ + len(gap.rstrip())
    rest = text[member.behind :]
    head = text[:cut]
    if before is not None and before.comma is not None and member.comma is None:
        head = text[: before.comma] + text[before.comma + 1 : cut]
    said = _COMMENT.findall(gap)
    if said and said[-1].startswith("//") and gap.rstrip().endswith(said[-1]) and not rest.startswith(("\n", "\r")):
        head += _line_end(text)
    return head + rest


def _table(text: str, start: int) -> Table:
    if text[start : start + 1] != "{":
        raise UnclearTextError("an object was expected where something else is")
    members: list[Member] = []
    at = _behind_gap(text, start + 1)
    while text[at : at + 1] != "}":
        member = _member(text, at)
        members.append(member)
        at = _behind_gap(text, member.behind)
        if member.comma is None and text[at : at + 1] != "}":
            raise UnclearTextError(f"a comma is missing behind {member.key!r}")
    return Table(start, at, tuple(members))


def _member(text: str, start: int) -> Member:
    if text[start : start + 1] != '"':
        raise UnclearTextError("a name without double quotes")
    key, colon = json.JSONDecoder().raw_decode(text, start)
    colon = _behind_gap(text, colon)
    if text[colon : colon + 1] != ":":
        raise UnclearTextError(f"a colon is missing behind {key!r}")
    value = _behind_gap(text, colon + 1)
    end = _value_end(text, value)
    comma = _behind_gap(text, end)
    return Member(key, start, value, end, comma if text[comma : comma + 1] == "," else None)


def _value_end(text: str, start: int) -> int:
    try:
        return json.JSONDecoder().raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return _lenient_end(text, start)


def _lenient_end(text: str, start: int) -> int:
    """Of a value with comments or trailing commas in it."""
    if text[start : start + 1] == "{":
        return _table(text, start).end + 1
    import json5

    _, problem, end = json5.parse(text, start=start, consume_trailing=False)
    if problem is not None:
        raise UnclearTextError("a value that cannot be read")
    return len(text[:end].rstrip())


def _behind_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _written(text: str, value: Json, indent: str, *, inline: bool) -> str:
    if inline:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_line_end(text) + indent).join(lines)


def _in_one_line(text: str) -> bool:
    """Whether somebody wrote the whole document into one line; an empty one is no such wish."""
    return "\n" not in text.strip() and not re.fullmatch(r"\{\s*\}", text.strip())


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _unit(text: str) -> str:
    """One step of indentation, as the first indented line shows it."""
    found = re.search(r"^([ \t]+)[^\s/*]", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _on_own_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()
