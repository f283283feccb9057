"""Tools of the suite that ask by hand, round by round, with a state that the client carries and cannot forge."""

from mcp.server.mcpserver.tools import Tool
from mcp_types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequest,
    InputRequiredResult,
    ListRootsRequest,
    SamplingMessage,
    TextContent,
)

from foreign.suite.making import said, tool
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx


async def input_required_result_elicitation(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask for a name, until there is one."""
    name = filled_in(ctx, "user_name").get("name")
    if not isinstance(name, str):
        return asking(user_name=form("What is your name?", "name"))
    return said(f"Hello, {name}!")


async def input_required_result_sampling(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask the client's model."""
    return _once(ctx, capital_question=_model("What is the capital of France?"))


async def input_required_result_list_roots(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask for the folders of the client."""
    return _once(ctx, client_roots=ListRootsRequest())


async def input_required_result_request_state(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask, and look at the state that comes back."""
    if ctx.request_state is None:
        return asking("asked", confirm=form("Please confirm", "ok", "boolean"))
    return said("state-ok")


async def input_required_result_multiple_inputs(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask three questions at once."""
    name, greeting = form("What is your name?", "name"), _model("Generate a greeting")
    return _once(ctx, "asked", user_name=name, greeting=greeting, client_roots=ListRootsRequest())


async def input_required_result_multi_round(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask one question after the other."""
    if ctx.request_state is None:
        return asking("first", step1=form("Step 1: What is your name?", "name"))
    if ctx.request_state == "first":
        return asking("second", step2=form("Step 2: What is your favorite color?", "color"))
    return said("Done.")


async def input_required_result_tampered_state(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask, with a state that somebody may change."""
    return _once(ctx, "asked", confirm=form("Please confirm", "ok", "boolean"))


async def input_required_result_capabilities(ctx: Ctx) -> CallToolResult | InputRequiredResult:
    """Ask only what the client can answer."""
    can = ctx.client_capabilities
    samples, elicits = (False, False) if can is None else (can.sampling is not None, can.elicitation is not None)
    questions: dict[str, InputRequest] = {"model": _model("Hello?")} if samples else {}
    if elicits:
        questions["form"] = form("Hello?", "name")
    return _once(ctx, None, **questions)


def round_tools() -> list[Tool]:
    """Those above."""
    single = (input_required_result_elicitation, input_required_result_sampling, input_required_result_list_roots)
    stateful = (
        input_required_result_request_state,
        input_required_result_multiple_inputs,
        input_required_result_multi_round,
        input_required_result_tampered_state,
        input_required_result_capabilities,
    )
    return [tool(function) for function in (*single, *stateful)]


def form(message: str, field: str, kind: str = "string") -> ElicitRequest:
    """A form of one field."""
    schema: dict[str, Json] = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def asking(state: str | None = None, **questions: InputRequest) -> InputRequiredResult:
    """The result that asks."""
    return InputRequiredResult(input_requests=questions, request_state=state)


def filled_in(ctx: Ctx, key: str) -> dict[str, object]:
    """What the user wrote into the form `key`; empty where there is no such answer."""
    answer = (ctx.input_responses or {}).get(key)
    return dict(answer.content or {}) if isinstance(answer, ElicitResult) else {}


def _once(ctx: Ctx, state: str | None = None, **questions: InputRequest) -> CallToolResult | InputRequiredResult:
    answers = ctx.input_responses or {}
    if not questions.keys() <= answers.keys():
        return asking(state, **questions)
    return said(" ".join(answers[key].model_dump_json() for key in questions))


def _model(text: str) -> CreateMessageRequest:
    messages = [SamplingMessage(role="user", content=TextContent(type="text", text=text))]
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=messages, max_tokens=100))
