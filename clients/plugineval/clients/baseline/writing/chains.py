"""Requests that need two tools: two things asked in one breath, or one that goes on with what the other returns.

Only some tools of a set open such a request, and each with one other tool, so that budgets go to single calls first.
A pair is used only where the baseline can read both halves of its own words again.
"""

import hashlib
from collections.abc import Iterable

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.extraction import extract
from plugineval.clients.baseline.relevance import rank
from plugineval.clients.baseline.strategies import LENIENT
from plugineval.clients.baseline.writing.draw import Draw
from plugineval.clients.baseline.writing.fillings import Filling, fill
from plugineval.clients.baseline.writing.plans import needed, scenario
from plugineval.clients.baseline.writing.queries import Written, said
from plugineval.clients.baseline.writing.requests import request_of
from plugineval.clients.plugins.verbs import changing_word, looking_word
from plugineval.clients.plugins.verbs import tokens as name_words
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec

_OPENERS = 3
"""One of so many tools of a set opens a request for several."""
_TRIES = 4
_BESIDE = (
    "{first} One more thing: {second}",
    "{first} Also: {second}",
    "{first} Apart from that: {second}",
    "{first} In addition: {second}",
)
_AFTER = ("{first} Then: {second}", "{first} After that: {second}", "{first} And then: {second}")
_NUMBERS = frozenset({"calculate", "compute", "evaluate", "solve", "sum"})
_TEXTS = frozenset({"encode", "decode", "hash", "format", "translate", "encrypt"})
"""Words of what tools do that return one number, or one text, which another tool may take."""
_PICKY = frozenset({"validate", "parse", "decode", "check", "verify"})
"""Verbs of tools that want a text of a certain form."""
_THE_RESULT = "the result"


def chain_scenario(tool: ToolSpec, toolset: Toolset) -> Scenario | None:
    """The request for several tools that `tool` opens, if it is one of those that do."""
    if tool.offered_name not in {each.offered_name for each in _openers(toolset)} or not _readable(tool, toolset):
        return None
    others = [each for each in _preferred(toolset, tool.offered_name) if each.offered_name != tool.offered_name]
    followed = [other for other in others if _feeds(tool, other)]
    if followed:
        return _named(tool, min(followed, key=_asks_for_whole), ordered=True)
    beside = next((other for other in others if _readable(other, toolset)), None)
    return None if beside is None else _named(tool, beside, ordered=False)


def chained(asked: Scenario, toolset: Toolset, difficulty: Difficulty, draw: Draw) -> Written | None:
    """One query for all tools of `asked`, whose steps together make the difficulty; None where they admit none."""
    tools = [toolset.tool(name) for name in asked.tools]
    carried = len(asked.then) if asked.ordered else 0
    own = difficulty.ordinal - carried
    for salt in range(_TRIES if own >= 0 else 0):
        places = [draw.number(0, len(tools) - 1, f"step {salt} {step}") for step in range(own)]
        parts = [
            _part(tool, places.count(at), _without_reason(draw, at), goes_on=bool(asked.ordered and at))
            for at, tool in enumerate(tools)
        ]
        found = [part for part in parts if part is not None]
        if len(found) == len(tools):
            return _joined(found, draw.pick(_AFTER if asked.ordered else _BESIDE, "joint"))
    return None


def _named(tool: ToolSpec, other: ToolSpec, *, ordered: bool) -> Scenario:
    act, further = request_of(tool).act, request_of(other).act
    title = f"{act}, then {further} with the result" if ordered else f"{act}, and {further}"
    suffix = f"{'then' if ordered else 'and'} {other.offered_name}"
    made = scenario(tool, ScenarioKind.TRIGGER, suffix, title, f"{tool.description} | {other.description}")
    return made.model_copy(update={"then": (other.offered_name,), "ordered": ordered})


def _openers(toolset: Toolset) -> list[ToolSpec]:
    count = len(toolset.tools)
    return _preferred(toolset, "")[: max(1, count // _OPENERS)] if count > 1 else []


def _preferred(toolset: Toolset, salt: str) -> list[ToolSpec]:
    """Tools that need nothing that must exist already and only look or compute come first; else by chance."""
    return sorted(
        toolset.tools, key=lambda tool: (_needs_things(tool), not _looks(tool), _chance(f"{salt}|{tool.content_hash}"))
    )


def _needs_things(tool: ToolSpec) -> bool:
    return any(each.kind in {Kind.IDENTIFIER, Kind.PATH} for each in needed(arguments_of(tool)))


def _looks(tool: ToolSpec) -> bool:
    words = name_words(tool.name)
    return looking_word(words) is not None and changing_word(words) is None and tool.hints.read_only is not False


def _chance(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _readable(tool: ToolSpec, toolset: Toolset) -> bool:
    """Whether the plainest words for `tool` lead back to it and to all it requires."""
    part = _part(tool, 0, Draw(tool.content_hash, "readable"), goes_on=False)
    if part is None or not tool.required:
        return False
    query = Query.of_text(part.text)
    return rank(query, toolset)[0].tool == tool and not extract(query, tool, LENIENT).missing


def _feeds(tool: ToolSpec, other: ToolSpec) -> bool:
    """Whether the one value that `tool` returns is what `other` works on."""
    request, taker = request_of(tool), _taker(other)
    if not request.verb or taker is None or not tool.required:
        return False
    words = request.act.lower().split()
    if _TEXTS.intersection(words):
        return taker.kind is Kind.TEXT and request_of(other).act.split()[0] not in _PICKY
    return taker.kind.numeric and words[0] in _NUMBERS


def _asks_for_whole(tool: ToolSpec) -> bool:
    """Whether it works on whole numbers, which many results are not."""
    taker = _taker(tool)
    return taker is not None and taker.kind is Kind.INTEGER


def _taker(tool: ToolSpec) -> Argument | None:
    """The argument that can take a result: the only required one of its kind."""
    required = needed(arguments_of(tool))
    for kinds in ({Kind.NUMBER, Kind.INTEGER}, {Kind.TEXT}):
        fitting = [each for each in required if each.kind in kinds]
        if len(fitting) == 1 and not fitting[0].examples:
            return fitting[0]
    return None


def _part(tool: ToolSpec, depth: int, draw: Draw, *, goes_on: bool) -> Written | None:
    """The words for one of the tools; where it `goes_on`, one of its values is the result of the tool before."""
    arguments = needed(arguments_of(tool))
    taker = _taker(tool) if goes_on else None
    if goes_on and taker is None:
        return None
    fillings = fill(tuple(each for each in arguments if each != taker), draw, depth, {})
    if fillings is None:
        return None
    return said(tool, fillings if taker is None else _in_order(arguments, (*fillings, _carried(taker))), draw)


def _carried(taker: Argument) -> Filling:
    # Spoken of like an identifier: the words stand for a value and are none, so they are not quoted.
    spoken = taker.model_copy(update={"kind": Kind.IDENTIFIER})
    step = f"'{_THE_RESULT}' is what the call before it returns"
    return Filling(spoken, _THE_RESULT, _THE_RESULT, step)


def _in_order(arguments: Iterable[Argument], fillings: tuple[Filling, ...]) -> tuple[Filling, ...]:
    order = [each.name for each in arguments]
    return tuple(sorted(fillings, key=lambda filling: order.index(filling.argument.name)))


def _without_reason(draw: Draw, at: int) -> Draw:
    """Why somebody asks is said once, at the beginning."""
    drawn = [Draw(draw.number(0, 2**32, f"part {at} {salt}")) for salt in range(8)]
    return drawn[0] if at == 0 else next((each for each in drawn if each.number(0, 2, "with reason")), drawn[0])


def _joined(parts: list[Written], joint: str) -> Written:
    text = parts[0].text
    for part in parts[1:]:
        text = joint.format(first=text, second=part.text)
    steps = tuple(step for part in parts for step in part.steps)
    return Written(text, steps, any(part.needs_clock for part in parts))
