"""Long work of the suite: tools that start jobs of their own kinds, on the product's engine, store and tasks."""

from typing import Annotated

import anyio
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.server.mcpserver.server import require_client_extension
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult
from pydantic import BaseModel

from foreign.suite.making import said, tool
from foreign.suite.rounds import form
from plugineval.pccf.errors import PluginEvalError
from plugineval.pccf.values import Json, Value
from plugineval.server.app.access import Ctx
from plugineval.server.app.answers import JobCard
from plugineval.server.app.spoken_tool import WORKING, spoken_tool
from plugineval.server.app.starting import start_job
from plugineval.server.app.task_inputs import Inputs, TaskClient
from plugineval.server.app.tasks import IDENTIFIER
from plugineval.server.jobs.context import JobContext, Runner
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.store.summaries import Job

BEYOND_GRACE_S = 2.0
"""The product answers short work at once, where the suite wants to see a task."""


class Slow(Value):
    """How long it takes, and what comes of it."""

    seconds: float = BEYOND_GRACE_S
    label: str = ""


class Asked(Value):
    """What a job asks for before it goes on."""

    fields: tuple[str, ...]


class Name(BaseModel):
    """Who calls."""

    name: str


def _name() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


async def greet(name: str) -> CallToolResult:
    """Greet at once."""
    return said(f"Hello, {name}!")


async def slow_compute(ctx: Ctx, seconds: float, label: str = "") -> Annotated[CallToolResult, JobCard]:
    """Take so many seconds."""
    return await start_job(ctx, "slow", Slow(seconds=seconds + (BEYOND_GRACE_S if seconds else 0), label=label))


async def failing_job(ctx: Ctx) -> Annotated[CallToolResult, JobCard]:
    """Fail after a while; for clients that follow tasks alone."""
    require_client_extension(ctx.request_context, IDENTIFIER)
    return await start_job(ctx, "failing", Slow())


async def protocol_error_job(ctx: Ctx) -> Annotated[CallToolResult, JobCard]:
    """Break after a while."""
    return await start_job(ctx, "broken", Slow())


async def confirm_delete(ctx: Ctx, filename: str) -> Annotated[CallToolResult, JobCard]:
    """Ask before anything is done."""
    return await start_job(ctx, "asking", Asked(fields=("confirm",)))


async def multi_input(ctx: Ctx) -> Annotated[CallToolResult, JobCard]:
    """Ask two questions."""
    return await start_job(ctx, "asking", Asked(fields=("name", "confirm")))


async def tool_with_task(ctx: Ctx, user: Annotated[Name, Resolve(_name)]) -> CallToolResult:
    """Ask who calls, and then go on as a task."""
    require_client_extension(ctx.request_context, IDENTIFIER)
    return await start_job(ctx, "slow", Slow(label=f"Hello, {user.name}!"))


class Questions:
    """Asks what jobs of the kind `asking` need, and keeps the answers while the server runs."""

    def __init__(self) -> None:
        self._open: dict[str, set[str]] = {}
        self._answered: dict[str, anyio.Event] = {}

    async def run(self, context: JobContext) -> Json:
        """Wait for every answer."""
        self._open[context.job_id] = set(Asked.model_validate(context.params).fields)
        answered = self._answered[context.job_id] = anyio.Event()
        await answered.wait()
        return {"said": "Thank you."}

    async def wanted(self, engine: JobEngine, job: Job, client: TaskClient) -> Inputs:
        """One form for each question."""
        if job.state.final:
            return {}
        shown = {name: form(f"Please say: {name}", name) for name in sorted(self._open.get(job.id, ()))}
        return {
            f"{job.id}-{name}": question.model_dump(mode="json", by_alias=True, exclude_none=True)
            for name, question in shown.items()
        }

    async def take(self, engine: JobEngine, job: Job, client: TaskClient, given: Inputs) -> None:
        """Go on with the last answer."""
        asked = self._open.get(job.id, set())
        asked -= {name for name in asked if f"{job.id}-{name}" in given}
        if job.id in self._answered and not asked:
            self._answered[job.id].set()


def job_tools() -> list[Tool]:
    """Those above, made as the product's own tools are where they start jobs."""
    long = (slow_compute, failing_job, protocol_error_job, confirm_delete, multi_input)
    spoken = [spoken_tool(function, function.__name__, WORKING) for function in long]
    return [tool(greet, "greet"), *spoken, tool(tool_with_task)]


def job_runners(questions: Questions) -> dict[str, Runner]:
    """Who runs jobs of these kinds."""
    return {"slow": _slow, "failing": _failing, "broken": _broken, "asking": questions.run}


async def _slow(context: JobContext) -> Json:
    params = Slow.model_validate(context.params)
    context.progress(0, None, f"computing {params.label}")
    await anyio.sleep(params.seconds)
    return {"said": params.label or "done"}


async def _failing(context: JobContext) -> Json:
    await _slow(context)
    raise PluginEvalError("it failed, as it always does", next_step="do not call it again")


async def _broken(context: JobContext) -> Json:
    await _slow(context)
    raise RuntimeError("a bug")
