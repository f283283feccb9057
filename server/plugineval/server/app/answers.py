"""What the tools answer: one frozen value each, shown to the model as structured content beside a short text."""

from typing import Literal

from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent
from pydantic import BaseModel, ConfigDict

from plugineval.pccf.values import Json, Value
from plugineval.server.store.states import JobState
from plugineval.server.store.trouble_notes import Troubles

URI = "plugineval://"


class RegisteredPlugin(Value):
    """A plugin an agent may select."""

    name: str
    transport: Literal["stdio", "http"]
    policy: str
    ready: bool
    note: str = ""
    """What it waits for, where it is not ready."""
    seen_version: str | None = None
    seen_tools: int | None = None


class PluginList(Value):
    """Registered plugins, the models that can be measured, and who plays each role."""

    plugins: tuple[RegisteredPlugin, ...]
    models: tuple[str, ...]
    models_not_ready: dict[str, str] = {}
    """Model -> what it waits for."""
    roles: dict[str, tuple[str, ...]]
    findings: tuple[str, ...] = ()
    """What is not as it should be, each with what mends it."""


class ToolCard(Value):
    """One tool of a plugin, and whether a build may execute it."""

    name: str
    description: str
    arguments: tuple[str, ...]
    required: tuple[str, ...]
    executable: bool
    reason: str


class PluginCard(Value):
    """A plugin as its server describes it now."""

    name: str
    version: str
    protocol_version: str = ""
    content_hash: str = ""
    tools: tuple[ToolCard, ...]
    input_schema: Json = None
    """Of the one tool that was asked for."""
    next_cursor: str | None = None


class JobCard(Value):
    """Long work: how far it is, or what came of it. Members without a default are what a client goes on with."""

    job_id: str
    """Empty where the answer was there at once, and no job was needed."""
    state: JobState
    next_step: str
    kind: str = ""
    done: int = 0
    total: int | None = None
    message: str = ""
    error: str | None = None
    result: Json = None
    """In short where it is long; `resource` has all of it."""
    resource: str = ""


class JobPage(JobCard):
    """The same with what kept workers from parts of it."""

    troubles: Troubles = Troubles()


class Listed(Value):
    """A page of something; `next_cursor` is null on the last page."""

    items: tuple[dict[str, Json], ...]
    next_cursor: str | None
    total: int | None = None


class Shown(BaseModel):
    """One of several shapes: a page of things, or one of them."""

    model_config = ConfigDict(extra="allow")


class CaseCard(Value):
    """One verified case with the short form of its proof."""

    id: str
    benchmark_id: str | None
    query: str
    target: str
    label: Json
    sample_type: str = ""
    difficulty: str = ""
    verdict: str = ""
    rounds: int = 0
    proposals: int = 0
    verification: str
    """URI of the whole verification record."""


class ReportCard(Value):
    """A stored report in numbers; the text is the report itself or its beginning."""

    run_id: str
    report_uri: str
    expired: bool
    verdict: str
    models: tuple[dict[str, Json], ...] = ()
    decision: Json = None
    """What to fix first, where that was asked for."""
    drift: Json = None
    """What moved since the older run, where one was named."""
    next_cursor: str | None = None


def with_note(result: CallToolResult, note: str) -> CallToolResult:
    """The same answer with a sentence more in its text; as it is where there is none to add."""
    if not note:
        return result
    return result.model_copy(update={"content": [TextContent(type="text", text=note), *result.content]})


def at_once(kind: str, result: Json, next_step: str) -> JobCard:
    """The answer to what needs no job, in the shape of one that has ended."""
    return JobCard(job_id="", kind=kind, state=JobState.COMPLETED, result=result, next_step=next_step)


def answer(value: Value, text: str, *uris: str) -> CallToolResult:
    """A tool's answer: text for every client, structured content for those that read it, links to what lasts."""
    links = [ResourceLink(type="resource_link", uri=uri, name=uri.removeprefix(URI)) for uri in uris]
    content: list[ContentBlock] = [TextContent(type="text", text=text), *links]
    return CallToolResult(content=content, structured_content=value.model_dump(mode="json"))
