"""What a role is shown, as JSON for its prompt: nothing that differs between two replays, and never any gold."""

import json
from collections.abc import Sequence

from plugineval.pccf.examples import Message, Query
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import Assessment, ProposalTrace, Round
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, canonical_json

_TEXT_SHOWN = 8000


def shown_query(query: Query) -> Json:
    """The conversation and its clock; where the query came from is not shown. What a message other than a user's says
    as a JSON object stands there as one, and not as its text.
    """
    now = query.now.isoformat() if query.now else None
    return {"now": now, "messages": [_shown_message(message) for message in query.messages]}


def _shown_message(message: Message) -> Json:
    shown: dict[str, Json] = message.model_dump(mode="json")
    said = None if message.role == "user" else _read(message.content)
    return {**shown, "content": said} if isinstance(said, dict) else shown


def _read(text: str) -> Json:
    try:
        found: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found


def shown_tool(tool: ToolSpec) -> Json:
    """Name, description d_t and schema S_t: what a model under test sees, and nothing else."""
    return {"name": tool.offered_name, "description": tool.description, "input_schema": tool.input_schema}


def shown_observation(observation: Observation) -> Json:
    """Kind, text (cut), structured content (as text where it has to be cut) and detail; no text where it is the
    structured content, or its only value, once more.
    """
    if observation.structured is not None and _repeats(observation.text, observation.structured):
        observation = observation.model_copy(update={"text": ""})
    written = "" if observation.structured is None else canonical_json(observation.structured)
    structured = _cut(written) if len(written) > _TEXT_SHOWN else observation.structured
    text = _cut(observation.text)
    return {"kind": observation.kind.value, "detail": observation.detail, "text": text, "structured": structured}


def _repeats(text: str, structured: Json) -> bool:
    said = _read(text)
    only = next(iter(structured.values())) if isinstance(structured, dict) and len(structured) == 1 else structured
    return text == only or (said is not None and said in (structured, only))


def _cut(text: str) -> str:
    return text[:_TEXT_SHOWN] + ("… (cut)" if len(text) > _TEXT_SHOWN else "")


def shown_history(rounds: Sequence[Round]) -> Json:
    """Every proposal of the rounds so far with all its evidence (P19)."""
    return [_shown_trace(trace) for round_ in rounds for trace in round_.traces]


def _shown_trace(trace: ProposalTrace) -> Json:
    return {
        "round": trace.round,
        "proposal": trace.proposal.model_dump(mode="json") if trace.proposal else None,
        "schema_violations": [violation.model_dump(mode="json") for violation in trace.schema_violations],
        "unknown_arguments": list(trace.unknown_arguments),
        "argument_assessment": _shown_assessment(trace.argument_assessment),
        "observation": shown_observation(trace.observation) if trace.observation else None,
        "result_assessment": _shown_assessment(trace.result_assessment),
        "score": trace.score,
        "ineligible": trace.ineligible.value if trace.ineligible else None,
    }


def _shown_assessment(assessment: Assessment | None) -> Json:
    return {"score": assessment.score, "reason": assessment.reason} if assessment else None
