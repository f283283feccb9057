"""resources/list over the store, newest first and page by page: hosts attach only what is listed.

The SDK lists static resources alone, so its handler is replaced.
"""

import base64
import json
from binascii import Error as NotBase64
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Literal, NamedTuple

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, Annotations, ListResourcesResult, PaginatedRequestParams, Resource

from plugineval.harness.rendering.neutral import plain
from plugineval.pccf.errors import PluginEvalError
from plugineval.server.app.answers import URI
from plugineval.server.app.lower import low_level
from plugineval.server.app.resources import JSON, MARKDOWN
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import BenchmarkSummary, ReportSummary

PAGE = 50
TITLE = 160
"""Characters of a title."""


class _Place(NamedTuple):
    """Where a page begins: the shelf, and the cursor on it."""

    shelf: str = "reports"
    cursor: str | None = None


_NEXT = {"reports": "benchmarks", "benchmarks": "plugins", "plugins": None}


def list_stored_resources(app: MCPServer[JobEngine], workspace: Workspace) -> None:
    """Answer resources/list with reports, benchmarks and plugins."""

    async def handle(
        context: ServerRequestContext[JobEngine], params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        place = _decode(params.cursor if params else None)
        try:
            resources, following = await _page(await workspace.store(), place)
        except PluginEvalError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
        return ListResourcesResult(resources=resources, next_cursor=_encode(following) if following else None)

    low_level(app).add_request_handler("resources/list", PaginatedRequestParams, handle)


async def _page(store: "Store", place: _Place) -> tuple[list[Resource], _Place | None]:
    """One page of one shelf, and the place after it; empty shelves are passed over."""
    while True:
        resources, cursor = await _shelf_page(store, place)
        shelf = place.shelf if cursor else _NEXT[place.shelf]
        following = _Place(shelf, cursor) if shelf else None
        if resources or following is None:
            return resources, following
        place = following


async def _shelf_page(store: "Store", place: _Place) -> tuple[list[Resource], str | None]:
    if place.shelf == "reports":
        reports = await store.reports.page(cursor=place.cursor, limit=PAGE)
        return [resource async for resource in _reports(store, reports.items)], reports.next_cursor
    if place.shelf == "benchmarks":
        page = await store.benchmarks.page(cursor=place.cursor, limit=PAGE)
        return [resource for item in page.items for resource in _of_benchmark(item)], page.next_cursor
    plugins = await store.plugins.all()
    return [
        _resource(f"plugins/{item.name}", f"Plugin {item.name} {item.version}", MARKDOWN, at=item.captured_at)
        for item in plugins
    ], None


def _of_benchmark(item: "BenchmarkSummary") -> Iterator[Resource]:
    path, made = f"benchmarks/{item.id}", item.created_at
    yield _resource(path, f"Benchmark {item.name}", MARKDOWN, at=made)
    yield _resource(f"{path}/card", f"Card of {item.name}", MARKDOWN, at=made)
    yield _resource(f"{path}/coverage", f"Coverage of {item.name}", MARKDOWN, at=made)


async def _reports(store: "Store", found: "Iterable[ReportSummary]") -> AsyncIterator[Resource]:
    from plugineval.harness.gradings import FIRST

    listed = list(found)
    sizes = await store.reports.sizes([report.id for report in listed])
    runs = {run_id: await store.runs.entry(run_id) for run_id in dict.fromkeys(each.run_id for each in listed)}
    for report in listed:
        run = runs[report.run_id]
        again = report.grading != FIRST
        named = report.grading if again else report.run_id
        title = f"Report on {run.source} of {run.started_at:%Y-%m-%d}: {', '.join(run.models)}"
        title += f", graded again on {report.created_at:%Y-%m-%d}" if again else ""
        made, size = report.created_at, sizes.get(report.id)
        yield _resource(f"reports/{named}", title, MARKDOWN, at=made, priority=1.0)
        yield _resource(f"reports/{named}/json", f"{title} (data)", JSON, at=made).model_copy(update={"size": size})


def _resource(path: str, title: str, mime_type: str, *, at: datetime, priority: float = 0.5) -> Resource:
    readers: list[Literal["user", "assistant"]] = ["assistant"] if mime_type == JSON else ["user", "assistant"]
    about = Annotations(audience=readers, priority=priority, last_modified=at.isoformat())
    # A title holds the words of a server and of whoever named a benchmark; hosts show it as it is.
    return Resource(uri=URI + path, name=path, title=plain(title, TITLE), mime_type=mime_type, annotations=about)


def _encode(place: _Place) -> str:
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _decode(cursor: str | None) -> _Place:
    if cursor is None:
        return _Place()
    try:
        shelf, inner = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except (NotBase64, ValueError, TypeError) as error:
        raise _bad_cursor(cursor) from error
    if shelf not in _NEXT or not isinstance(inner, str | None):
        raise _bad_cursor(cursor)
    return _Place(shelf, inner)


def _bad_cursor(cursor: str) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=f"{cursor!r} is not a cursor; take next_cursor of the page before")
