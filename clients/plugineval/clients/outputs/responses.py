"""Items of the Responses API: function calls, messages and reasoning in one flat list, or a whole response."""

from plugineval.clients.outputs.chat import text_of
from plugineval.clients.outputs.spoken import Spoken, emitted, no_call, stopped
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind
from plugineval.pccf.values import Json

CALLS = frozenset({"function_call", "mcp_call"})


def response_of(document: dict[str, Json]) -> Spoken:
    """A whole response: its items, and why it is incomplete or failed where it is."""
    output = document.get("output")
    items = output if isinstance(output, list) else []
    calls = tuple(found for item in items if (found := item_call(item)) is not None)
    status = document.get("status")
    reason = document.get("incomplete_details")
    if isinstance(reason, dict):
        status = reason.get("reason")
    return Spoken(
        calls=calls,
        text="".join(item_text(item) for item in items),
        finish_reason=status if isinstance(status, str) else None,
        failure=_failed(document) or stopped(status),
    )


def item_call(item: Json) -> EmittedCall | None:
    """The call in one output item; None where the item holds words or thoughts. Other providers' tools are no calls."""
    if not isinstance(item, dict):
        return no_call(item)
    kind = str(item.get("type"))
    if kind in CALLS:
        return emitted(item.get("name"), item.get("arguments"), item=item, as_object=True)
    return no_call(item) if kind.endswith("_call") else None


def item_text(item: Json) -> str:
    """The words of a message item."""
    if not isinstance(item, dict) or str(item.get("type")) not in {"message", "output_text", "text"}:
        return ""
    return text_of(item) or str(item.get("text") or "") or _refusal(item)


def _refusal(item: dict[str, Json]) -> str:
    content = item.get("content")
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("refusal") or "") for part in parts if isinstance(part, dict))


def _failed(document: dict[str, Json]) -> Failure | None:
    error = document.get("error")
    if not error:
        return None
    detail = error.get("message") if isinstance(error, dict) else error
    return Failure(kind=FailureKind.PROVIDER_ERROR, detail=str(detail or error))
