"""S_out by rule: content that answers scores high, emptiness and failures in disguise score low.

A result that looks like an error counts as content only where the tool evidently reads logs or diagnostics, and the
error stands inside such lines: one short sentence about the call itself is a failure of every tool.
"""

import json
import math
import re
from collections.abc import Iterator

from plugineval.clients.baseline.identity import BASELINE_ID, PROMPT_HASH
from plugineval.clients.baseline.log_reading import is_log, reads_logs
from plugineval.clients.baseline.segments import left_open
from plugineval.clients.baseline.words import squeezed
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment
from plugineval.pccf.roles import Assessed
from plugineval.pccf.spending import Spent
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification.parts import part_of

_GOOD = 0.95
_OPEN = 0.1
_FLAGS = frozenset({"success", "ok", "succeeded", "isvalid", "found"})
_OPENS = re.compile(
    r"^\W*(?:error|failed|failure|exception|traceback|invalid|unknown|unsupported|cannot|could not|unable to"
    r"|no such)\b",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b(?:not found|does not exist|is not supported|not available|unavailable|permission denied)\b", re.IGNORECASE
)
_SENTENCE = 300
"""Characters up to which a text is one statement; in a longer one these words may be about anything."""


class LexicalResultEvaluator:
    """Implements `plugineval.pccf.roles.ResultEvaluator`."""

    @property
    def id(self) -> str:
        """`baseline:lexical`."""
        return BASELINE_ID

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        """Score and reason; never fails."""
        score, reason = _judge(tool, invocation, observation)
        part, unanswered = part_of(query), left_open(query)
        if part is not None and part.last and unanswered:
            score, reason = min(score, _OPEN), f"after the last call the query still asks: {unanswered[0]!r}"
        assessment = Assessment(score=score, reason=reason, evaluator=BASELINE_ID, prompt_hash=PROMPT_HASH)
        return Assessed(assessment=assessment, spent=Spent())


def _judge(tool: ToolSpec, invocation: Invocation, observation: Observation) -> tuple[float, str]:
    if not observation.evaluable:
        return 0.0, f"there is no result: {observation.kind.value}"
    content = _content(observation)
    failure = _failure(content)
    excused = reads_logs(tool) and is_log(content) and not _failure(_frame(content))
    if observation.kind is ObservationKind.SUSPECT and not excused:
        return 0.15, f"looks like a failure: {observation.detail or failure or 'marked as suspect'}"
    if failure and not excused:
        return 0.15, f"the result reports a failure: {failure}"
    return _substance(content, invocation)


def _content(observation: Observation) -> Json:
    if observation.structured is not None:
        return observation.structured
    try:
        parsed: Json = json.loads(observation.text)
    except ValueError:
        return observation.text.strip()
    return parsed


def _frame(content: Json) -> Json:
    """What a result says about itself, without the lists of entries that it carries."""
    if not isinstance(content, dict):
        return None
    return {key: value for key, value in content.items() if not isinstance(value, list)}


def _failure(content: Json) -> str | None:
    """The first sign of failure in the result, in words."""
    if isinstance(content, str):
        found = _OPENS.match(content) or (len(content) <= _SENTENCE and _SAYS.search(content))
        return content[:120] if found else None
    for key, value in _pairs(content):
        name = squeezed(key)
        if name in _FLAGS and value is False:
            return f"{key} is false" + _explained(content)
        if name in {"error", "errors", "exception", "errormessage"} and value not in (None, False, "", 0, [], {}):
            return f"{key}: {str(value)[:120]}"
        if name == "status" and isinstance(value, str) and value.lower() in {"error", "failed", "failure"}:
            return f"{key} is {value}" + _explained(content)
    return None


def _explained(content: Json) -> str:
    said = next((str(value) for key, value in _pairs(content) if key in {"message", "error", "reason"} and value), "")
    return f" ({said[:120]})" if said else ""


def _pairs(content: Json, depth: int = 0) -> Iterator[tuple[str, Json]]:
    if isinstance(content, dict):
        for key, value in content.items():
            yield key, value
            if depth < 4:
                yield from _pairs(value, depth + 1)
    elif isinstance(content, list) and depth < 4:
        for item in content[:50]:
            yield from _pairs(item, depth + 1)


def _substance(content: Json, invocation: Invocation) -> tuple[float, str]:
    given = invocation.arguments
    echoed = next((key for key, value in _pairs(content) if key in given and not _same(value, given[key])), None)
    if echoed is not None:
        return 0.4, f"the result repeats {echoed} with another value than the call gave"
    leaves = list(_leaves(content, frozenset(given)))
    if any(isinstance(leaf, float) and not math.isfinite(leaf) for leaf in leaves):
        return 0.2, "the result is not a finite number"
    if not any(_says_something(leaf) for leaf in leaves):
        return 0.3, "the result holds nothing but empty structures"
    return _GOOD, "the result holds content and no sign of failure"


def _same(value: Json, given: Json) -> bool:
    """Only numbers are compared: servers are free to echo a name or a date in a spelling of their own."""
    numbers = [each for each in (value, given) if isinstance(each, int | float) and not isinstance(each, bool)]
    return len(numbers) < 2 or numbers[0] == numbers[1]


def _leaves(content: Json, echoes: frozenset[str]) -> Iterator[Json]:
    """Scalars of the result that do not just repeat the call."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key not in echoes and squeezed(key) not in _FLAGS:
                yield from _leaves(value, frozenset())
    elif isinstance(content, list):
        for item in content:
            yield from _leaves(item, frozenset())
    else:
        yield content


def _says_something(leaf: Json) -> bool:
    if isinstance(leaf, str):
        return leaf.strip().lower() not in {"", "null", "none", "nan", "undefined", "n/a"}
    return leaf is not None
