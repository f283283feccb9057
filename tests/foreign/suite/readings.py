"""Resources and prompts of the suite, and the one legacy method that the product has no use for: `logging/setLevel`."""

import base64
import json

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp_types import (
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    InputRequiredResult,
    SetLevelRequestParams,
    TextResourceContents,
)

from foreign.suite.making import PIXEL
from foreign.suite.rounds import asking, filled_in, form
from plugineval.server.app.access import Ctx
from plugineval.server.jobs.engine import JobEngine


def add_readings(app: MCPServer[JobEngine]) -> None:
    """Register all of it."""
    app.resource("test://static-text", name="static-text", mime_type="text/plain")(_static_text)
    app.resource("test://static-binary", name="static-binary", mime_type="image/png")(_static_binary)
    app.resource("test://template/{id}/data", name="template", mime_type="application/json")(_template)
    prompts = (
        ("test_simple_prompt", _simple_prompt),
        ("test_prompt_with_arguments", _prompt_with_arguments),
        ("test_prompt_with_embedded_resource", _prompt_with_embedded_resource),
        ("test_prompt_with_image", _prompt_with_image),
        ("test_input_required_result_prompt", _asking_prompt),
    )
    for name, prompt in prompts:
        app.prompt(name=name)(prompt)
    server = app._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _set_level)


def _static_text() -> str:
    """A text."""
    return "This is the content of the static text resource."


def _static_binary() -> bytes:
    """An image."""
    return base64.b64decode(PIXEL)


def _template(id: str) -> str:  # noqa: A002 - the template's own name for it
    """What the address says."""
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _simple_prompt() -> str:
    """A prompt that always says the same."""
    return "This is a simple prompt for testing."


def _prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt that says what it is given."""
    return f"Prompt with arguments: arg1={arg1!r}, arg2={arg2!r}"


def _prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
    """A prompt with a resource."""
    text = "Embedded resource content for testing."
    contents = TextResourceContents(uri=resourceUri, mime_type="text/plain", text=text)
    return [UserMessage(EmbeddedResource(type="resource", resource=contents)), UserMessage("Please process it.")]


def _prompt_with_image() -> list[UserMessage]:
    """A prompt with an image."""
    image = ImageContent(type="image", data=PIXEL, mime_type="image/png")
    return [UserMessage(image), UserMessage("Please analyze the image above.")]


def _asking_prompt(ctx: Ctx) -> str | InputRequiredResult:
    """A prompt that asks first."""
    context = filled_in(ctx, "user_context").get("context")
    if not isinstance(context, str):
        return asking(user_context=form("What context should the prompt use?", "context"))
    return f"Use this context: {context}"


async def _set_level(context: ServerRequestContext[JobEngine], params: SetLevelRequestParams) -> EmptyResult:
    return EmptyResult()
