"""A response of the Responses API, read into what the model did; what it echoes of the request is not kept."""

from plugineval.clients.outputs.responses import response_of
from plugineval.clients.outputs.spoken import Spoken, stopped
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Json

_FINAL = frozenset({"response.completed", "response.incomplete", "response.failed"})
_UNFINISHED = frozenset({"in_progress", "queued"})
_ECHOED = frozenset(
    {"usage", "object", "created_at", "tools", "tool_choice", "parallel_tool_calls", "instructions", "input", "text"}
    | {"temperature", "top_p", "max_output_tokens", "truncation", "metadata", "store", "previous_response_id"}
)


def spoken_of(document: dict[str, Json]) -> Spoken:
    """What a `document` without a `problem_of` says, under wire names."""
    return response_of(document)


def text_and_failure(document: dict[str, Json]) -> tuple[str, Failure | None]:
    """The text in `document` for a role, and the boundary that broke."""
    spoken = response_of(document)
    return spoken.text, spoken.failure or stopped(spoken.finish_reason)


def trace_of(document: dict[str, Json]) -> dict[str, Json]:
    """What of `document` a record keeps beside the calls and the usage."""
    return {key: value for key, value in document.items() if key not in _ECHOED and value is not None}


def problem_of(document: dict[str, Json]) -> Failure | None:
    """Why `document` holds no answer of a model; None where it does."""
    output = document.get("output")
    if not isinstance(output, list):
        return Failure(kind=FailureKind.NO_CHOICES, detail="a 200 without output")
    if document.get("status") in _UNFINISHED:
        detail = f"the response is {document['status']}, and no answer yet"
        return Failure(kind=FailureKind.BAD_RESPONSE, detail=detail)
    # A response that was cut or filtered may well hold nothing; one that is whole may not.
    if output or document.get("status") not in {None, "completed"}:
        return None
    return Failure(kind=FailureKind.NO_CHOICES, detail="a 200 with an empty output")


def ended(events: list[Json]) -> bool:
    """Whether the stream came to the event that holds the whole response."""
    return any(isinstance(event, dict) and event.get("type") in _FINAL for event in events)
