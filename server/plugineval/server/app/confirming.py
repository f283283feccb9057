"""Tools with policy `ask` over MCP: the client puts the question to its user, in either era of the protocol.

Only a person answers: what is asked never is an argument of a tool, and the model of a client sees neither the form nor
a way to fill it in. Who declines or closes the form has refused. A client that cannot ask is told the local command.
"""

from typing import Annotated, Any, cast

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import ClientCapabilities
from pydantic import BaseModel, ConfigDict, Field, create_model

from plugineval.harness.rendering.neutral import plain
from plugineval.pccf.values import canonical_json
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.handles import own
from plugineval.server.app.workers import worker_of
from plugineval.server.trust.requests import Request, Requests
from plugineval.server.wording import counted

AT_ONCE = 8
"""Tools in one form; what is left is asked with the next call."""
ARGUMENTS_SHOWN = 300
DESCRIPTION_SHOWN = 200


class Form(BaseModel):
    """A field for each tool."""

    model_config = ConfigDict(extra="forbid")


async def _question(ctx: Ctx, job_id: str) -> Elicit[Form] | None:
    """What to ask the user of this client before `job_id` goes on; None where nothing waits, or it cannot ask."""
    pending = _pending(ctx, job_id)
    if not pending or not can_ask(ctx):
        return None
    return Elicit(message_of(job_id, pending), form_of(pending))


async def confirmed(
    ctx: Ctx, job_id: str, said: Annotated[ElicitationResult[Form], Resolve(_question)]
) -> tuple[Request, ...]:
    """Write down what the user said; the questions that were answered, with their answers."""
    form = cast("object", said.data) if isinstance(said, AcceptedElicitation) else Form()
    if not isinstance(form, Form):
        # Nothing was asked.
        return ()
    requests, by = Requests(engine_of(ctx).workspace.settings.home), f"asked by {worker_of(ctx).client}"
    given = form.model_dump()
    return tuple(
        requests.answer(request, granted=given.get(field_of(request)) is True, by=by)
        for request in _pending(ctx, job_id)
        if field_of(request) in given or not isinstance(said, AcceptedElicitation)
    )


def can_ask(ctx: Ctx) -> bool:
    """Whether the client declares that it puts forms to its user."""
    return asks_people(ctx.client_capabilities)


def asks_people(capabilities: ClientCapabilities | None) -> bool:
    """Whether a client with these puts forms to its user."""
    asks = capabilities.elicitation if capabilities is not None else None
    return asks is not None and (asks.form is not None or asks.url is None)


def _pending(ctx: Ctx, job_id: str) -> tuple[Request, ...]:
    workspace = engine_of(ctx).workspace
    return Requests(workspace.settings.home).pending(own(workspace, job_id))[:AT_ONCE]


def message_of(job_id: str, pending: tuple[Request, ...]) -> str:
    """What is shown above the form."""
    named = counted(len(pending), "tool")
    lines = [
        f"PluginEval job {plain(job_id, 80)} asks to execute {named} of plugins under test, which may change "
        "something. What is quoted was written by plugins and models."
    ]
    for request in pending:
        lines.append(f"- {_called(request)}: first with {_arguments(request)}")
        said = plain(request.description, DESCRIPTION_SHOWN)
        lines += [f'  The plugin says of it: "{said}"'] if said else []
    return "\n".join(lines)


def form_of(pending: tuple[Request, ...]) -> type[Form]:
    """A form with a field for each question."""
    fields: dict[str, Any] = {
        field_of(request): (bool, Field(title=_called(request), description="Execute it in this job, and only in it"))
        for request in pending
    }
    # The SDK asks again where the question is another one by the time that the answer comes.
    return create_model("Confirmations", __base__=Form, **fields)


def field_of(request: Request) -> str:
    """The name of its field."""
    return f"tool_{request.key[:16]}"


def _called(request: Request) -> str:
    return plain(f"{request.tool} of plugin {request.plugin}", 120)


def _arguments(request: Request) -> str:
    return plain(canonical_json(request.arguments), ARGUMENTS_SHOWN)
