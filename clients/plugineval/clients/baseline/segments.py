"""A text that plainly holds several requests, cut into them, and which of them a tool is there for.

Only words that open another request cut ("One more thing:", "and what is ..."); a second sentence alone does not.
Where an earlier call has returned one value, "the result" in the request after it is read as that value.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from plugineval.clients.baseline.relevance import rank
from plugineval.clients.baseline.spotting.spans import quoted_in
from plugineval.clients.baseline.words import squeezed
from plugineval.pccf.examples import Message, Query
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification.parts import Part, part_of, part_tool, results_in

_OPENS = (
    r"also|then|and then|after that|one more thing|apart from that|besides(?: that)?|in addition|separately"
    r"|second(?:ly)?(?=[,:])"
)
_CUT = re.compile(
    rf"(?:(?<=[.!?])\s+(?:and\s+)?(?:{_OPENS})\s*[,:]?\s+"
    r"|(?<=[\w)\]])(?:,|;)?\s+and\s+(?=(?:what|when|where|how|which|who)\b|(?:can|could|would) you\b|tell me\b)"
    r"|(?<=\?)\s+(?=(?:what|when|where|how|which|who)\b[^.]*\?))",
    re.IGNORECASE,
)
_MOST = 4
_RESULT = re.compile(r"\bthe (?:result|outcome|answer)(?: of (?:that|it))?\b|\bthat result\b", re.IGNORECASE)
_RESULT_KEYS = ("result", "value", "output", "answer", "hash")


@lru_cache(maxsize=2_048)
def segments(text: str) -> tuple[str, ...]:
    """The requests in `text`, in order; one where nothing opens another."""
    quoted, pieces, at = quoted_in(text), list[str](), 0
    for cut in _CUT.finditer(text):
        if not any(each.start < cut.end() and cut.start() < each.end for each in quoted):
            pieces.append(text[at : cut.start()].strip())
            at = cut.end()
    return tuple(piece for piece in (*pieces, text[at:].strip()) if piece)


def own_part(query: Query, *, filled: bool = True) -> Query:
    """`query` with the request that its part is about alone; `query` itself where it is told of no part.

    `filled` puts the value of the result before it in the place of "the result".
    """
    part = part_of(query)
    if part is None:
        return query
    mine = _shares(segments(query.text), part)[part.number - 1]
    results = results_in(query) if filled and part.ordered else ()
    value = _one_value(results[-1]) if results else None
    text = mine if value is None else _RESULT.sub(lambda _: value, mine)
    return _saying(query, text)


def part_for(query: Query, tool: ToolSpec) -> Query:
    """`query` with the request that `tool` is there for alone, "the result" left as it stands."""
    found = segments(query.text)
    if part_of(query) is not None or not 1 < len(found) <= _MOST:
        return own_part(query, filled=False)
    only = Part(number=1, tools=(part_tool(tool),))
    return _saying(query, max(found, key=lambda piece: _fits(piece, only)))


def left_open(query: Query) -> tuple[str, ...]:
    """Requests of `query` that none of its tools is there for; none where it is told to be about a single call."""
    part = part_of(query)
    found = segments(query.text)
    if part is None or len(found) <= len(part.tools):
        return ()
    taken = set(_shares(found, part))
    return tuple(each for each in found if each not in taken)


def one_result(result: Json) -> Json:
    """The one value that a result comes down to; None where it holds several, or none."""
    content = _parsed(result)
    if not isinstance(content, dict):
        return content if isinstance(content, str | int | float) and not isinstance(content, bool) else None
    named = [value for key, value in content.items() if squeezed(key) in _RESULT_KEYS]
    return one_result(named[0]) if len(named) == 1 and not isinstance(named[0], dict | list) else None


def refers_back(value: Json) -> bool:
    """Whether `value` is no value but words for the result of something before it."""
    return isinstance(value, str) and bool(_RESULT.fullmatch(value.strip()))


def _one_value(result: Json) -> str | None:
    """The value as a person would write it into the request: text in quotation marks, numbers plain."""
    value = one_result(result)
    if isinstance(value, str):
        return f'"{value}"' if value and not re.search(r'["\n]', value) else None
    return None if value is None else json.dumps(value)


def _parsed(result: Json) -> Json:
    if not isinstance(result, str):
        return result
    try:
        parsed: Json = json.loads(result)
    except ValueError:
        return result
    return parsed


def _saying(query: Query, text: str) -> Query:
    """`query` with `text` as its last user message."""
    place = max(at for at, message in enumerate(query.messages) if message.role == "user")
    said = Message(role="user", content=text)
    return query.model_copy(update={"messages": (*query.messages[:place], said, *query.messages[place + 1 :])})


def _shares(found: Sequence[str], part: Part) -> tuple[str, ...]:
    """For each tool of `part` the request it is there for: each its own where there are enough of them."""
    if len(found) == 1 or len(found) > _MOST:
        return tuple(" ".join(found) for _ in part.tools)
    fits = [_fits(piece, part) for piece in found]
    tools = range(len(part.tools))
    if len(found) < len(part.tools):
        return tuple(found[max(range(len(found)), key=lambda at: fits[at][tool])] for tool in tools)
    order = max(permutations(range(len(found)), len(part.tools)), key=lambda each: sum(fits[each[t]][t] for t in tools))
    return tuple(found[at] for at in order)


def _fits(piece: str, part: Part) -> list[float]:
    """How well `piece` fits each tool of `part`, by the words of names and descriptions."""
    kinds = {tool.name: ToolSpec(name=tool.name, description=tool.description, input_schema={}) for tool in part.tools}
    scores = {each.tool.name: each.score for each in rank(Query.of_text(piece), Toolset(tools=tuple(kinds.values())))}
    return [scores[tool.name] for tool in part.tools]
