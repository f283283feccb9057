"""What the rounds before teach a generator: refuted values, values that an error text allows, calls already made."""

import re
from collections import defaultdict
from typing import NamedTuple

from plugineval.clients.baseline.arguments import Argument, arguments_of
from plugineval.clients.baseline.assignment import Refuted
from plugineval.clients.baseline.lexicon import UNITS, symbol_of, synonyms, unit_index
from plugineval.clients.baseline.words import function_word, squeezed
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import ProposalTrace, Round
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json, canonical_json

_ALLOWED = re.compile(
    r"(?:must be one of|should be one of|is not one of|one of|allowed(?: values)?(?: are)?|supported(?: \w+)?(?: are)?"
    r"|valid(?: \w+)?(?: are)?|available(?: \w+)?(?: are)?|expected|choose from|did you mean|options(?: are)?)\s*:?\s*"
    r"(\[[^\]]*\]|\([^)]*\)|[^.\n]+)",
    re.IGNORECASE,
)
_VALUE = re.compile(r"['\"`]([^'\"`]+)['\"`]|([A-Za-z0-9][\w/.+-]*)")
_LOW = 0.7


class Lessons(NamedTuple):
    """Evidence of all rounds before."""

    refuted: Refuted
    tried: frozenset[str]
    """Canonical JSON of argument assignments that were proposed and not accepted."""
    best: Arguments | None
    """The highest-scoring of them."""


def lessons(history: tuple[Round, ...], tool: ToolSpec) -> Lessons:
    """Read `history`; nothing in it is the gold."""
    refuted: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    scored: list[tuple[float, Arguments]] = []
    for trace in (trace for each in history for trace in each.traces):
        if not isinstance(trace.proposal, Invocation):
            continue
        given = trace.proposal.arguments
        scored.append((trace.score or 0.0, given))
        for name in _blamed(trace, given, arguments_of(tool)):
            refuted[name][canonical_json(given[name])] = _instead(given[name], _complaint(trace))
    best = max(scored, key=lambda pair: pair[0], default=(0.0, None))[1]
    tried = frozenset(canonical_json(given) for _, given in scored)
    return Lessons({name: _untried(values) for name, values in refuted.items()}, tried, best)


def _untried(values: dict[str, Json]) -> dict[str, Json]:
    """No replacement that was refuted itself."""
    return {key: None if canonical_json(value) in values else value for key, value in values.items()}


def _instead(refuted: Json, complaint: str) -> Json:
    """What to try in place of a refuted value: an allowed one that the complaint names, or another spelling."""
    return _nearest(refuted, _options(complaint, refuted)) or _respelled(refuted)


def _complaint(trace: ProposalTrace) -> str:
    """What the gates, the plugin and the evaluators said against the proposal."""
    parts = [violation.message for violation in trace.schema_violations]
    if trace.observation is not None and (not trace.observation.evaluable or _low(trace, "result_assessment")):
        parts += [trace.observation.text, trace.observation.detail]
    if trace.result_assessment is not None and _low(trace, "result_assessment"):
        parts.append(trace.result_assessment.reason)
    return "\n".join(part for part in parts if part)


def _low(trace: ProposalTrace, field: str) -> bool:
    assessment = trace.result_assessment if field == "result_assessment" else trace.argument_assessment
    return assessment is not None and assessment.score < _LOW


def _blamed(trace: ProposalTrace, given: Arguments, arguments: tuple[Argument, ...]) -> set[str]:
    """Arguments that the evidence speaks against."""
    blamed = {path.path.strip("/").split("/")[0] for path in trace.schema_violations}
    if trace.argument_assessment is not None and _low(trace, "argument_assessment"):
        blamed |= {
            name for name in given if re.search(rf"(?:^|; ){re.escape(name)}: ", trace.argument_assessment.reason)
        }
    complaint = _complaint(trace)
    if complaint:
        quoted = {name for name, value in given.items() if _mentions(complaint, value)}
        blamed |= quoted or {each.name for each in arguments if each.name in given and _speaks_of(complaint, each)}
    return blamed & set(given)


def _mentions(complaint: str, value: Json) -> bool:
    return isinstance(value, str) and bool(value) and bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", complaint))


def _speaks_of(complaint: str, argument: Argument) -> bool:
    return bool(re.search(rf"\b(?:{re.escape(argument.name)}|{re.escape(argument.label)})\b", complaint, re.IGNORECASE))


def _options(complaint: str, refuted: Json) -> tuple[str, ...]:
    """Values that the complaint lists as allowed."""
    for found in _ALLOWED.finditer(complaint):
        values = [quoted or bare for quoted, bare in _VALUE.findall(found.group(1))]
        said = squeezed(str(refuted))
        values = [value for value in values if said not in squeezed(value) and not function_word(value)]
        if values:
            return tuple(dict.fromkeys(values))
    return ()


def _nearest(refuted: Json, options: tuple[str, ...]) -> str | None:
    """The allowed value that the refuted one was meant to be; None where none comes near."""
    if not options or not isinstance(refuted, str):
        return None
    from rapidfuzz import fuzz, process

    symbol = symbol_of(refuted)
    same = next((option for option in options if symbol is not None and symbol_of(option) == symbol), None)
    said = next((option for option in options if squeezed(option) in map(squeezed, synonyms(refuted))), None)
    best = process.extractOne(squeezed(refuted), list(map(squeezed, options)), scorer=fuzz.ratio, score_cutoff=60)
    return same or said or (options[best[2]] if best else None)


def _respelled(refuted: Json) -> str | None:
    """The other spelling of a unit that was refused: its symbol, or its name."""
    known = unit_index().get(refuted.lower()) if isinstance(refuted, str) else None
    if known is None:
        return None
    symbol, quantity = known
    names = next(names for each, names in UNITS[quantity] if each == symbol)
    return names[0] if refuted == symbol else symbol
