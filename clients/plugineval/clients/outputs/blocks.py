"""Messages of content blocks: Anthropic's `tool_use`, and Bedrock's `toolUse`."""

from plugineval.clients.outputs.spoken import Spoken, emitted, no_call, stopped
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

CALLS = frozenset({"tool_use", "mcp_tool_use", "server_tool_use"})
_SILENT = frozenset({"text", "thinking", "redacted_thinking", "tool_result", "mcp_tool_result"})


def blocks_of(content: list[Json], stop_reason: Json = None) -> Spoken:
    """The calls and texts of a list of blocks; a block of an unknown kind that is no text is kept as no call."""
    found = [block_call(block) for block in content]
    return Spoken(
        calls=tuple(call for call in found if call is not None),
        text="".join(block_text(block) for block in content),
        finish_reason=stop_reason if isinstance(stop_reason, str) else None,
        failure=stopped(stop_reason),
    )


def is_call(block: dict[str, Json]) -> bool:
    """Whether the block is marked as a call."""
    return str(block.get("type")) in CALLS or isinstance(block.get("toolUse"), dict)


def block_call(block: Json) -> EmittedCall | None:
    """The call in one block; None for words, thoughts and results."""
    if not isinstance(block, dict):
        return None if isinstance(block, str) else no_call(block)
    inner = block.get("toolUse")
    if isinstance(inner, dict):
        return emitted(inner.get("name"), inner.get("input"), item=block, as_object=True)
    kind = str(block.get("type"))
    if is_call(block):
        return emitted(block.get("name"), block.get("input"), item=block, as_object=True)
    silent = kind in _SILENT or kind.endswith("_tool_result") or "text" in block or "reasoningContent" in block
    return None if silent else no_call(block)


def block_text(block: Json) -> str:
    """The words of one block; thoughts are not words."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or "thinking" in str(block.get("type")):
        return ""
    found = block.get("text")
    return found if isinstance(found, str) else ""
