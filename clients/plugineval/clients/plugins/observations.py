"""From what a plugin answered to an `Observation`: every way to fail is a kind of its own, none is a success.

Checks in this order: an error that the tool declares, size, the output schema, emptiness, marks of an error in
disguise. Secrets are struck out before anything is cut, so that no half of one stays at a cut.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pydantic_core import to_json

from plugineval.clients.plugins.disguises import marks
from plugineval.clients.plugins.output_schemas import output_violation
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.wire import BrokenAnswer
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json

if TYPE_CHECKING:
    from mcp.types import CallToolResult, ContentBlock, InputRequiredResult

_HOLLOW_TEXTS = frozenset({"", "null", "[]", "{}", '""'})
_LONGEST_HOLLOW = 4
_ASKS = "the tool asks for further input before it answers; a plugin under test is given none"


class Executed(NamedTuple):
    """One call and how long it took."""

    tool: ToolSpec
    arguments: Arguments
    elapsed_ms: float = 0.0


class _Seen(NamedTuple):
    text: str
    structured: Json
    size: int


class Observer:
    """Turns the answers of one plugin into observations."""

    def __init__(self, redactor: Redactor, *, cap_bytes: int) -> None:
        self._redactor = redactor
        self._cap = cap_bytes

    def refused(self, executed: Executed, reason: str) -> Observation:
        """A call that was not made."""
        return self._observation(executed, (ObservationKind.REFUSED, reason), _Seen("", None, 0))

    def unconfirmed(self, executed: Executed, reason: str) -> Observation:
        """A call that waits for a person."""
        return self._observation(executed, (ObservationKind.UNCONFIRMED, reason), _Seen("", None, 0))

    def broken(self, executed: Executed, broken: BrokenAnswer) -> Observation:
        """A call that ended without a tool result."""
        seen = _Seen(broken.head, None, _bytes(broken.head))
        return self._observation(executed, (broken.kind, broken.detail), seen)

    def asked(self, executed: Executed, answer: "InputRequiredResult") -> Observation:
        """A call that the server will not answer without another round."""
        wanted = sorted({request.method for request in (answer.input_requests or {}).values()})
        return self.refused(executed, f"{_ASKS} ({', '.join(wanted) or 'another round'})")

    def answered(self, executed: Executed, answer: "CallToolResult") -> Observation:
        """A call that the server answered with a tool result."""
        text = "\n".join(_texts(answer.content))
        structured: Json = answer.structured_content
        size = max(_bytes(text), 0 if structured is None else len(to_json(structured)))
        seen = _Seen(text, structured, size)
        return self._observation(executed, self._finding(executed.tool, answer, seen), seen)

    def _finding(self, tool: ToolSpec, answer: "CallToolResult", seen: _Seen) -> tuple[ObservationKind, str]:
        if answer.is_error:
            return ObservationKind.TOOL_ERROR, "the tool reports an error"
        if seen.size > self._cap:
            return ObservationKind.TOO_LARGE, f"the result has {seen.size} bytes, {self._cap} are allowed"
        if tool.output_schema is not None:
            present = "structured_content" in answer.model_fields_set
            problem = output_violation(tool.output_schema, seen.structured, present=present)
            if problem is not None:
                return ObservationKind.OUTPUT_SCHEMA, problem
        if not tool.allow_empty and _empty(seen):
            return ObservationKind.EMPTY, "the result is empty, and the tool is not registered in allow_empty"
        found = marks(seen.text, seen.structured)
        return (ObservationKind.SUSPECT, "; ".join(found)) if found else (ObservationKind.RETURNED, "")

    def _observation(self, executed: Executed, finding: tuple[ObservationKind, str], seen: _Seen) -> Observation:
        kind, detail = finding
        too_large = seen.size > self._cap
        return Observation(
            kind=kind,
            tool=executed.tool.name,
            arguments=executed.arguments,
            text=_cut(self._redactor.text(seen.text), self._cap),
            structured=None if too_large else self._redactor.json(seen.structured),
            detail=self._redactor.text(detail),
            elapsed_ms=executed.elapsed_ms,
            output_bytes=seen.size,
        )


def _texts(content: "Iterable[ContentBlock]") -> Iterable[str]:
    """Text as it is; of everything else what and where it is, which an evaluator can read."""
    for block in content:
        if block.type == "text":
            yield block.text
        elif block.type == "resource":
            text = getattr(block.resource, "text", None)
            yield text if isinstance(text, str) else f"[resource {block.resource.uri} {block.resource.mime_type}]"
        elif block.type == "resource_link":
            yield f"[resource {block.uri} {block.name}]"
        else:
            yield f"[{block.type} {block.mime_type}, {len(block.data)} characters of base64]"


def _empty(seen: _Seen) -> bool:
    """Nothing to judge: blank or hollow text, and no structured content that holds anything."""
    text = seen.text.strip()
    return len(text) <= _LONGEST_HOLLOW and text in _HOLLOW_TEXTS and _hollow(seen.structured)


def _hollow(value: Json) -> bool:
    if isinstance(value, dict) and set(value) == {"result"}:
        # How servers wrap what is not an object.
        value = value["result"]
    return value is None or value in ("", [], {})


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))


def _cut(text: str, cap: int) -> str:
    if _bytes(text) <= cap:
        return text
    return text.encode(errors="replace")[:cap].decode(errors="ignore")
