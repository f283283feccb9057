"""A request parted into its wording and the values it speaks of, so that near-duplicates can be told from variations.

Two requests with the same wording and different values (a number, a name, a date, a listed value) are two cases; two
with equal values and almost the same wording are one. What may be a value is taken for one: a duplicate that is kept
costs little, a case that is dropped is lost.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from plugineval.pccf.coverage.similarity import Similarity, each_word, stems
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

_TOKEN = re.compile(r"\"[^\"]+\"|“[^”]+”|`[^`]+`|(?<!\w)'[^']+'(?!\w)|\S+")
_ENDS = ".,;:!?()[]{}\"'“”`…"
_PLAIN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TELLING = each_word(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "billion half quarter dozen double triple first second third last next previous monday tuesday wednesday "
    "thursday friday saturday sunday january february march april may june july august september october november "
    "december today tomorrow yesterday tonight morning noon afternoon evening night midnight now ago true false on "
    "off yes no not without except never"
)
_OPENERS = each_word(
    "please kindly can could would will should may might must do does did is are was were what which who how when "
    "where why i i'm i'd i'll i've we you he she it they my our your the a an this that these those there if so "
    "and but or in on at for from to with let let's go give tell show help get make take hi hello hey thanks thank "
    "ok okay just also need want"
)


class ToolWords(NamedTuple):
    """What a tool says about words: `listed` may be values of its arguments, `own` are stems of its own description."""

    listed: frozenset[str]
    own: frozenset[str]

    @classmethod
    def of(cls, tool: ToolSpec) -> "ToolWords":
        """The words of `tool`."""
        own = frozenset(stems(f"{tool.name} {tool.description}"))
        listed = {word for choice in _listed(tool.input_schema) for word in choice.casefold().split()}
        # Many schemas list the values of an argument in its description only.
        told = {word.casefold() for text in _described(tool) for word in _PLAIN.findall(text)} - _OPENERS
        return cls(frozenset(listed | {word for word in told if not set(stems(word)) <= own}), own)


class Wording(NamedTuple):
    """`template` has `_` in place of each value; `values` are those in order, without case and quotation marks."""

    template: str
    values: tuple[str, ...]


def worded(text: str, tool: ToolWords) -> Wording:
    """`text` as a request for the tool of these words."""
    words: list[str] = []
    values: list[str] = []
    opening = True
    for token in _TOKEN.findall(text):
        core = token.strip(_ENDS)
        if core and (_is_value(token, core, tool.listed) or _is_name(core, tool.own, opening=opening)):
            values.append(core.casefold())
            core = "_"
        words.append(core)
        opening = token.endswith((".", "!", "?", ":"))
    return Wording(" ".join(words), tuple(values))


def nearest_template(
    template: str, known: Collection[str], similarity: Similarity, *, at_least: float
) -> tuple[str, float] | None:
    """The most alike of `known` with its score, where it says the words that both share in the same order.

    "from metres to feet" is not "from feet to metres", though they hold the same words.
    """
    left = list(known)
    while (found := similarity.nearest(template, left, at_least=at_least)) is not None:
        if _same_order(template, found[0]):
            return found
        left.remove(found[0])
    return None


def _same_order(a: str, b: str) -> bool:
    one, other = stems(a), stems(b)
    return [word for word in one if word in other] == [word for word in other if word in one]


def _is_value(token: str, core: str, listed: frozenset[str]) -> bool:
    quoted = token[:1] in "\"“`'" and len(token) > 2
    return quoted or not _PLAIN.fullmatch(core) or core.casefold() in _TELLING or core.casefold() in listed


def _is_name(word: str, own: frozenset[str], *, opening: bool) -> bool:
    """A capital inside a sentence; one that opens it may stand on any word, so only known ones are no names."""
    if not any(map(str.isupper, word)) or word == "I" or word.startswith(("I'", "I’")):
        return False
    return not opening or (word.casefold() not in _OPENERS and not set(stems(word)) <= own)


def _described(tool: ToolSpec) -> Iterator[str]:
    for argument in tool.properties.values():
        described = argument.get("description")
        yield described if isinstance(described, str) else ""


def _listed(schema: Json) -> Iterator[str]:
    """Every text that an `enum` or `const` anywhere in the schema allows."""
    if isinstance(schema, dict):
        for choice in _choices(schema):
            if isinstance(choice, str):
                yield choice
    children = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    for child in children:
        yield from _listed(child)


def _choices(schema: dict[str, Json]) -> list[Json]:
    enum = schema.get("enum")
    return [*(enum if isinstance(enum, list) else ()), schema.get("const")]
