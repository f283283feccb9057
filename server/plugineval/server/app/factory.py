"""The MCP app: one factory for stdio, HTTP, tests and the conformance suite."""

import importlib.resources
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

import anyio
from mcp.server import MCPServer
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.mcpserver.tools import Tool

from plugineval.server.app.additions import NOTHING, Additions
from plugineval.server.app.completions import add_completions
from plugineval.server.app.freshness import LISTS, fresh_for
from plugineval.server.app.listing import list_stored_resources
from plugineval.server.app.notifying import CountingBus, Notifier
from plugineval.server.app.prompts import add_prompts
from plugineval.server.app.report_app import report_app
from plugineval.server.app.resources import add_resources
from plugineval.server.app.server_key import request_state_security
from plugineval.server.app.spoken_server import SpokenServer
from plugineval.server.app.tasks import Tasks
from plugineval.server.app.watching import watch
from plugineval.server.jobs.collecting import late_collections
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.workers.engine import QueueEngine
from plugineval.server.workspace import Workspace

_LIST = CacheHint(ttl_ms=LISTS, scope="public")
HINTS: dict[CacheableMethod, CacheHint] = {
    "tools/list": _LIST,
    "prompts/list": _LIST,
    "resources/templates/list": _LIST,
    "server/discover": _LIST,
    "resources/list": CacheHint(ttl_ms=0, scope="private"),
}


def create_app(
    workspace: Workspace,
    *,
    auth: AuthSettings | None = None,
    token_verifier: TokenVerifier | None = None,
    additions: Additions = NOTHING,
) -> MCPServer[JobEngine]:
    """The server of one workspace, which is opened when the server starts and closed when it ends."""
    bus = CountingBus()

    @asynccontextmanager
    async def lifespan(app: MCPServer[JobEngine]) -> AsyncGenerator[JobEngine]:
        async with (
            QueueEngine.open(workspace, {**RUNNERS, **additions.runners}) as engine,
            anyio.create_task_group() as watching,
        ):
            watching.start_soon(watch, workspace, notifier)
            if workspace.settings.schedules:
                from plugineval.server.schedules.starting import keep_schedules

                watching.start_soon(keep_schedules, engine)
            yield engine
            watching.cancel_scope.cancel()

    app = SpokenServer(
        "PluginEval",
        title="PluginEval",
        description="Builds, verifies and runs function-calling benchmarks on your own MCP servers.",
        instructions=_instructions(),
        version=version("plugineval"),
        extensions=[Tasks(additions.sources), report_app()],
        lifespan=lifespan,
        subscriptions=bus,
        auth=auth,
        token_verifier=token_verifier,
        request_state_security=request_state_security(workspace),
        cache_hints=HINTS,
        log_level="WARNING",
    )
    app.make_tools(lambda: [*tools_of_the_app(), *additions.tools])
    app.make_resources(partial(add_resources, app, workspace))
    app.make_prompts(partial(add_prompts, app))
    app.fresh_for = partial(fresh_for, workspace)
    list_stored_resources(app, workspace)
    add_completions(app, workspace)
    additions.install(app)
    notifier = Notifier(app, bus)
    workspace.announce = notifier.announce
    workspace.in_session = True
    return app


def _instructions() -> str:
    return importlib.resources.files("plugineval.server.app").joinpath("instructions.md").read_text(encoding="utf-8")


def tools_of_the_app() -> list[Tool]:
    """All tools, in the order in which they are listed: that in which a conversation needs them."""
    from plugineval.server.app.audit_tools import audit_tools
    from plugineval.server.app.benchmark_tools import benchmark_tools
    from plugineval.server.app.case_tools import case_tools
    from plugineval.server.app.evaluation_tools import evaluation_tools, regrading_tools
    from plugineval.server.app.job_tools import job_tools
    from plugineval.server.app.plugin_tools import plugin_tools
    from plugineval.server.app.report_tools import report_tools
    from plugineval.server.app.submission_tools import submission_tools
    from plugineval.server.app.work_tools import work_tools

    return [
        *plugin_tools(),
        *benchmark_tools(),
        *case_tools(),
        *evaluation_tools(),
        *submission_tools(),
        *regrading_tools(),
        *report_tools(),
        *audit_tools(),
        *work_tools(),
        *job_tools(),
    ]


async def serve_stdio(workspace: Workspace) -> None:
    """Serve one client on stdin and stdout, until stdin ends; nothing but the protocol reaches stdout."""
    app = create_app(workspace)
    late_collections()
    try:
        await app.run_stdio_async()
    finally:
        # The SDK keeps stdout for itself while it serves, and gives it back. What was printed meanwhile without a flush
        # still waits in a buffer, and would end up on the wire when the process ends.
        os.dup2(2, 1)
