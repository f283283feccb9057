"""What one answer said, before names are mapped back: the calls in order, the text beside them, and how it stopped."""

from typing import NamedTuple

from plugineval.clients.outputs.arguments import raw_text, read_arguments
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind
from plugineval.pccf.values import Json

NAME_KEYS = ("name", "tool", "tool_name", "function")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "tool_input", "input")

_STOPPED = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), FailureKind.TRUNCATED),
    **dict.fromkeys(("model_context_window_exceeded", "incomplete"), FailureKind.TRUNCATED),
    **dict.fromkeys(("content_filter", "refusal", "safety", "recitation", "blocklist"), FailureKind.CONTENT_FILTER),
    **dict.fromkeys(("prohibited_content", "spii", "guardrail_intervened"), FailureKind.CONTENT_FILTER),
    **dict.fromkeys(("malformed_function_call", "unexpected_tool_call"), FailureKind.PARSE_FAILURE),
    **dict.fromkeys(("error", "failed", "cancelled"), FailureKind.PROVIDER_ERROR),
}
_DETAIL = {
    FailureKind.TRUNCATED: "the answer was cut at the token limit",
    FailureKind.CONTENT_FILTER: "the provider's content filter stopped the answer",
    FailureKind.PARSE_FAILURE: "the provider could not read the call that the model attempted",
    FailureKind.PROVIDER_ERROR: "the provider broke off",
}


class Spoken(NamedTuple):
    """One answer under wire names."""

    calls: tuple[EmittedCall, ...] = ()
    text: str = ""
    finish_reason: str | None = None
    failure: Failure | None = None


def stopped(finish_reason: Json) -> Failure | None:
    """The failure that a finish reason (of any provider) stands for; None for an ordinary end."""
    kind = _STOPPED.get(finish_reason.lower()) if isinstance(finish_reason, str) else None
    return None if kind is None else Failure(kind=kind, detail=f"{_DETAIL[kind]} (finish_reason {finish_reason})")


def emitted(name: Json, raw: Json, *, item: Json, as_object: bool = False) -> EmittedCall:
    """The call `name(raw)`; where there is no name, `item` is kept whole as a call of nothing."""
    if not isinstance(name, str):
        return no_call(item)
    read = read_arguments(raw, as_object=as_object)
    return EmittedCall(
        name=name,
        arguments=read.arguments,
        raw_arguments=read.raw or raw_text(raw),
        problem=read.problem,
        repair=read.repair,
    )


def no_call(item: Json) -> EmittedCall:
    """What stands where a call should: kept as a call of nothing, never dropped."""
    return EmittedCall(name="", arguments=None, raw_arguments=raw_text(item), problem="not a function call")


def noted(call: EmittedCall, note: str) -> EmittedCall:
    """`call` with one more repair on record."""
    return call.model_copy(update={"repair": f"{note}; {call.repair}" if call.repair else note})


def argument_key(item: dict[str, Json]) -> str | None:
    """Under which of the known keys `item` holds arguments."""
    return next((key for key in ARGUMENT_KEYS if key in item), None)


def name_of(item: dict[str, Json]) -> str | None:
    """The name that `item` calls, under any of the known keys."""
    return next((found for key in NAME_KEYS if isinstance(found := item.get(key), str)), None)
