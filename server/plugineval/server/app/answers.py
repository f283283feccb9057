"""What the tools answer: one frozen value each, shown to the model as structured content beside a short text."""

from typing import Literal

from mcp_types import CallToolResult, ContentBlock, ResourceLink, TextContent

from plugineval.pccf.values import Json, Value
from plugineval.server.store.states import JobState

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
    """Registered plugins, and the models that can be measured."""

    plugins: tuple[RegisteredPlugin, ...]
    models: tuple[str, ...]
    models_not_ready: dict[str, str] = {}
    """Model -> what it waits for."""
    roles: dict[str, tuple[str, ...]]


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
    protocol_version: str
    content_hash: str
    tools: tuple[ToolCard, ...]


class JobCard(Value):
    """Long work: how far it is, or what came of it."""

    job_id: str
    kind: str
    state: JobState
    done: int
    total: int | None
    message: str
    error: str | None = None
    result: Json = None
    resource: str
    next_step: str


class Listed(Value):
    """A page of something; `next_cursor` is null on the last page."""

    items: tuple[dict[str, Json], ...]
    next_cursor: str | None = None


class CaseCard(Value):
    """One verified case with the short form of its proof."""

    id: str
    benchmark_id: str | None
    query: str
    target: str
    label: Json
    sample_type: str
    difficulty: str
    verdict: str
    rounds: int
    proposals: int
    verification: str
    """URI of the whole verification record."""


class ReportCard(Value):
    """A stored report in numbers; the text is the report itself or its beginning."""

    run_id: str
    report_uri: str
    expired: bool
    verdict: str
    models: tuple[dict[str, Json], ...]


def with_note(result: CallToolResult, note: str) -> CallToolResult:
    """The same answer with a sentence more in its text; as it is where there is none to add."""
    if not note:
        return result
    return result.model_copy(update={"content": [TextContent(type="text", text=note), *result.content]})


def answer(value: Value, text: str, *uris: str) -> CallToolResult:
    """A tool's answer: text for every client, structured content for those that read it, links to what lasts."""
    links = [ResourceLink(type="resource_link", uri=uri, name=uri.removeprefix(URI)) for uri in uris]
    content: list[ContentBlock] = [TextContent(type="text", text=text), *links]
    return CallToolResult(content=content, structured_content=value.model_dump(mode="json"))
