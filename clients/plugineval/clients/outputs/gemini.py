"""Gemini's parts: `functionCall` (or `function_call`) with `args` as an object, text, and thoughts."""

from plugineval.clients.outputs.spoken import Spoken, argument_key, emitted, no_call, stopped
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind
from plugineval.pccf.values import Json

KEYS = ("functionCall", "function_call")
_SILENT = frozenset({"text", "inlineData", "inline_data", "executableCode", "executable_code", "thoughtSignature"}) | {
    "codeExecutionResult", "code_execution_result", "functionResponse", "function_response", "fileData", "file_data",
}  # fmt: skip


def document_of(document: dict[str, Json]) -> Spoken:
    """A whole response: the parts of its first candidate, or why there is none."""
    candidates = document.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    if not isinstance(first, dict):
        return Spoken(failure=_blocked(document))
    reason = first.get("finishReason", first.get("finish_reason"))
    spoken = parts_of(_parts(first.get("content")))
    return spoken._replace(finish_reason=reason if isinstance(reason, str) else None, failure=stopped(reason))


def parts_of(parts: list[Json]) -> Spoken:
    """The calls and texts of a list of parts."""
    found = [part_call(part) for part in parts]
    return Spoken(
        calls=tuple(call for call in found if call is not None), text="".join(part_text(part) for part in parts)
    )


def part_call(part: Json) -> EmittedCall | None:
    """The call in one part; None for words and data."""
    if not isinstance(part, dict):
        return no_call(part)
    inner = next((found for key in KEYS if isinstance(found := part.get(key), dict)), None)
    if inner is not None:
        key = argument_key(inner)
        return emitted(inner.get("name"), inner.get(key) if key else None, item=part, as_object=True)
    return None if _SILENT & part.keys() else no_call(part)


def part_text(part: Json) -> str:
    """The words of one part; thoughts are not words."""
    if not isinstance(part, dict) or part.get("thought") is True:
        return ""
    found = part.get("text")
    return found if isinstance(found, str) else ""


def _parts(content: Json) -> list[Json]:
    found = content.get("parts") if isinstance(content, dict) else None
    return found if isinstance(found, list) else []


def _blocked(document: dict[str, Json]) -> Failure:
    feedback = document.get("promptFeedback", document.get("prompt_feedback"))
    reason = feedback.get("blockReason", feedback.get("block_reason")) if isinstance(feedback, dict) else None
    if reason:
        return Failure(kind=FailureKind.CONTENT_FILTER, detail=f"the prompt was blocked ({reason})")
    return Failure(kind=FailureKind.BAD_RESPONSE, detail="the answer holds no candidate")
