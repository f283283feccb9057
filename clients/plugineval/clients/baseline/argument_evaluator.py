"""S_arg by rule: the weakest argument decides, and what the query says but no argument uses takes off more.

An abstention is justified where even the most lenient reading of the query leaves a required argument open.
"""

import re

from plugineval.clients.baseline.arguments import Argument, arguments_of
from plugineval.clients.baseline.extraction import extract
from plugineval.clients.baseline.grounding import Ground, ground
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading, read
from plugineval.clients.baseline.spotting.spans import named_in
from plugineval.clients.baseline.strategies import LENIENT
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.records import Assessment
from plugineval.pccf.roles import Assessed
from plugineval.pccf.tools import ToolSpec

_UNUSED = 0.55
"""Factor for every value of the query that no argument uses."""
_LEFT_OUT = 0.6
"""Factor for every optional argument that the query names with a value and the call leaves out."""


class LexicalArgumentEvaluator:
    """Implements `plugineval.pccf.roles.ArgumentEvaluator`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        """Score and reason; never fails."""
        if isinstance(proposal, Abstention):
            return _assessed(*_abstention(query, tool))
        return _assessed(*_invocation(query, tool, proposal))


def _assessed(score: float, reason: str, evidence: tuple[str, ...] = ()) -> Assessed:
    assessment = Assessment(
        score=round(score, 4), reason=reason, evaluator=BASELINE_ID, prompt_hash=PROMPT_HASH, evidence=evidence
    )
    return Assessed(assessment=assessment)


def _invocation(query: Query, tool: ToolSpec, call: Invocation) -> tuple[float, str, tuple[str, ...]]:
    arguments = arguments_of(tool)
    reading = read(query)
    grounds = {
        each.name: ground(each, call.arguments[each.name], reading, arguments)
        for each in arguments
        if each.name in call.arguments
    }
    problems = [f"{name}: {each.reason}" for name, each in grounds.items() if each.credit < 0.7]
    score = min((each.credit for each in grounds.values()), default=0.95)
    missing = [name for name in tool.required if name not in call.arguments]
    unknown = [name for name in call.arguments if name not in grounds]
    if missing or unknown:
        score = 0.0 if missing else min(score, 0.3)
        problems += [f"{name}: required, but not given" for name in missing] + [
            f"{n}: not in the schema" for n in unknown
        ]
    unused = _unused(reading, grounds, tool)
    left_out = [each for each in arguments if each.name not in call.arguments and _named(each, reading, tool)]
    score *= _UNUSED ** len(unused) * _LEFT_OUT ** len(left_out)
    problems += [f"{found.value!r} in the query is used by no argument" for found in unused]
    problems += [f"{each.name}: named in the query, but left out" for each in left_out]
    evidence = tuple(f"{name}: {each.reason}" for name, each in grounds.items())
    return score, "; ".join(problems) or "every argument is supported by the query", evidence


def _unused(reading: Reading, grounds: dict[str, Ground], tool: ToolSpec) -> list[Found]:
    used = [place for each in grounds.values() for place in each.places]
    salient: list[Found] = []
    for found in (
        *(reading.literals + reading.quoted + reading.expressions + reading.datetimes + reading.dates),
        *(reading.times + reading.zones + reading.addresses + reading.numbers),
    ):
        if not found.within(used) and not found.within(salient) and not _of_the_tool(found, reading, tool):
            salient.append(found)
    return salient


def _of_the_tool(found: Found, reading: Reading, tool: ToolSpec) -> bool:
    """A number that belongs to the tool's own words ("compare two texts") or to a label ("text 2") is no value."""
    said = reading.text[found.start : found.end].lower()
    if not isinstance(found.value, int) or not said:
        return False
    labels = [each.label for each in arguments_of(tool) if any(char.isdigit() for char in each.label)]
    before = reading.text[: found.end].lower()
    own = re.search(rf"(?<!\w){re.escape(said)}(?!\w)", tool.description.lower()) and said.isalpha()
    return bool(own) or any(before.endswith(label) for label in labels)


def _named(argument: Argument, reading: Reading, tool: ToolSpec) -> bool:
    """The query gives the argument's own name and a value: "limit: 5", "the title is ..."."""
    label = r"[\s_-]+".join(map(re.escape, argument.label.split()))
    others = "|".join(re.escape(each.label) for each in arguments_of(tool) if each.name != argument.name)
    heading = rf"(?!(?:the\s+)?(?:{others})\b)" if others else ""
    return len(argument.label) > 3 and bool(
        re.search(rf"(?<!\w){label}\s*(?:is|=|:|set to|should be)\s*{heading}\S", reading.text, re.IGNORECASE)
    )


def _abstention(query: Query, tool: ToolSpec) -> tuple[float, str]:
    missing = extract(query, tool, LENIENT).missing
    if not missing:
        return 0.1, "every required argument can be read off the query: a call was possible"
    reading = read(query)
    open_ones = [each for each in arguments_of(tool) if each.name in missing]
    named = [each.name for each in open_ones if _named(each, reading, tool) or named_in(reading.text, each.label)]
    if named:
        return 0.4, f"the query names {', '.join(named)} with a value: it may be determined"
    return 0.95, f"the query does not determine {', '.join(missing)}"
