"""S_arg by rule: the weakest argument decides, and what the query says but no argument uses takes off more.

An abstention is justified where even the most lenient reading of the query leaves a required argument open.
"""

from plugineval.clients.baseline.arguments import Argument, Kind, arguments_of
from plugineval.clients.baseline.extraction import extract
from plugineval.clients.baseline.grounding import ground
from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.leftovers import left_out, linked, parts_of_others, unused_values
from plugineval.clients.baseline.segments import own_part
from plugineval.clients.baseline.spotting.reading import Reading, read
from plugineval.clients.baseline.spotting.spans import named_in
from plugineval.clients.baseline.strategies import LENIENT
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.records import Assessment
from plugineval.pccf.roles import Assessed
from plugineval.pccf.spending import Spent
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
        """Score and reason; never fails. Of a request of several calls, the part for `tool` alone is looked at."""
        query = own_part(query)
        if isinstance(proposal, Abstention):
            return _assessed(*_abstention(query, tool))
        return _assessed(*_invocation(query, tool, proposal))


def _assessed(score: float, reason: str, evidence: tuple[str, ...] = ()) -> Assessed:
    assessment = Assessment(
        score=round(score, 4), reason=reason, evaluator=BASELINE_ID, prompt_hash=PROMPT_HASH, evidence=evidence
    )
    return Assessed(assessment=assessment, spent=Spent())


def _invocation(query: Query, tool: ToolSpec, call: Invocation) -> tuple[float, str, tuple[str, ...]]:
    arguments = arguments_of(tool)
    reading = read(query)
    grounds = {
        each.name: ground(each, call.arguments[each.name], reading, arguments)
        for each in arguments
        if each.name in call.arguments
    }
    for name in parts_of_others(grounds):
        grounds[name] = grounds[name]._replace(credit=0.2, reason="is a part of another argument's value")
    problems = [f"{name}: {each.reason}" for name, each in grounds.items() if each.credit < 0.7]
    score = min((each.credit for each in grounds.values()), default=0.95)
    missing = [name for name in tool.required if name not in call.arguments]
    unknown = [name for name in call.arguments if name not in grounds]
    if missing or unknown:
        score = 0.0 if missing else min(score, 0.3)
        problems += [f"{name}: required, but not given" for name in missing] + [
            f"{n}: not in the schema" for n in unknown
        ]
    unused = unused_values(reading, grounds, tool)
    omitted = [each for each in arguments if each.name not in call.arguments and left_out(each, reading, tool)]
    score *= _UNUSED ** len(unused) * _LEFT_OUT ** len(omitted)
    problems += [f"{found.value!r} in the query is used by no argument" for found in unused]
    problems += [f"{each.name}: named in the query, but left out" for each in omitted]
    evidence = tuple(f"{name}: {each.reason}" for name, each in grounds.items())
    return score, "; ".join(problems) or "every argument is supported by the query", evidence


def _abstention(query: Query, tool: ToolSpec) -> tuple[float, str]:
    missing = extract(query, tool, LENIENT).missing
    if not missing:
        return 0.1, "every required argument can be read off the query: a call was possible"
    reading = read(query)
    open_ones = [each for each in arguments_of(tool) if each.name in missing]
    named = [each.name for each in open_ones if linked(each, reading, tool) or _given_by_name(each, reading)]
    if named:
        return 0.4, f"the query names {', '.join(named)} with a value: it may be determined"
    return 0.95, f"the query does not determine {', '.join(missing)}"


def _given_by_name(argument: Argument, reading: Reading) -> bool:
    """Names of things (paths, ids, units) may stand behind the label alone; other kinds have readers of their own."""
    return argument.kind in {Kind.PATH, Kind.IDENTIFIER, Kind.UNIT} and bool(named_in(reading.text, argument.label))
