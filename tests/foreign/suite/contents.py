"""Tools of the suite that answer at once: every kind of content, errors, progress, logging, schemas, headers."""

from typing import Annotated

import anyio
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import (
    AudioContent,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    TextResourceContents,
)
from pydantic import Field

from foreign.suite.making import PIXEL, SILENCE, said, tool
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx
from plugineval.server.app.spoken_tool import READING, spoken_tool

PAUSE_S = 0.05
DIALECT = "https://json-schema.org/draft/2020-12/schema"
RICH_SCHEMA: dict[str, Json] = {
    "$schema": DIALECT,
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


async def test_simple_text() -> CallToolResult:
    """Answer with a text."""
    return said("This is a simple text response for testing.")


async def test_error_handling() -> CallToolResult:
    """Fail, as a tool fails."""
    raise ToolError("This tool intentionally returns an error for testing")


async def image_content() -> CallToolResult:
    """Answer with an image."""
    return CallToolResult(content=[ImageContent(type="image", data=PIXEL, mime_type="image/png")])


async def audio_content() -> CallToolResult:
    """Answer with a sound."""
    return CallToolResult(content=[AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")])


async def embedded_resource() -> CallToolResult:
    """Answer with a resource."""
    return CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", "An embedded resource.")])


async def multiple_content_types() -> CallToolResult:
    """Answer with a text, an image and a resource."""
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")
    return said("Several kinds.", image, _embedded("test://mixed-content-resource", "application/json", "{}"))


async def tool_with_progress(ctx: Ctx) -> CallToolResult:
    """Report progress."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await anyio.sleep(PAUSE_S)
    return said("Done.")


async def tool_with_logging(ctx: Ctx) -> CallToolResult:
    """Tell the client's log what happens. PluginEval itself writes to stderr alone: MCP logging is deprecated."""
    for told in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        params = LoggingMessageNotificationParams(level="info", data=told)
        await ctx.session.send_notification(LoggingMessageNotification(params=params), ctx.request_id)
        await anyio.sleep(PAUSE_S)
    return said("Done.")


async def logging_tool() -> CallToolResult:
    """Log nothing where the client asked for no log."""
    return said("Done.")


async def rich_schema() -> CallToolResult:
    """Answer; its arguments are described with all that JSON Schema 2020-12 has."""
    return said("Done.")


async def routed(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "",
) -> CallToolResult:
    """Answer; its argument travels in a header too."""
    return said(region)


async def trigger_tool_change(ctx: Ctx) -> CallToolResult:
    """Tell listeners that the tools have changed."""
    await ctx.notify_tools_changed()
    return said("Done.")


async def trigger_prompt_change(ctx: Ctx) -> CallToolResult:
    """Tell listeners that the prompts have changed."""
    await ctx.notify_prompts_changed()
    return said("Done.")


def content_tools() -> list[Tool]:
    """Those above; the first two are made as the product's own tools are."""
    described = tool(rich_schema, "json_schema_2020_12_tool").model_copy(update={"parameters": RICH_SCHEMA})
    answering = (image_content, audio_content, embedded_resource, multiple_content_types, logging_tool, routed)
    telling = (tool_with_progress, tool_with_logging, trigger_tool_change, trigger_prompt_change)
    return [
        spoken_tool(test_simple_text, "Text", READING),
        spoken_tool(test_error_handling, "Error", READING),
        *(tool(function) for function in (*answering, *telling)),
        described,
    ]


def _embedded(uri: str, mime_type: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return EmbeddedResource(type="resource", resource=contents)
