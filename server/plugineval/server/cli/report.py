"""`plugineval report`: read a stored report; no model and no plugin is touched."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from plugineval.harness.rendering.markdown import render_markdown
from plugineval.harness.report import Report
from plugineval.pccf.errors import UnknownNameError
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, read_settings, run
from plugineval.server.cli.showing import show_report
from plugineval.server.cli.terminal import echo_json, out
from plugineval.server.store.store import Store


@with_shared_options
def report_command(
    run_id: Annotated[
        str | None, typer.Argument(help="A run id, or its beginning; the newest where none is given.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the whole report as markdown.")] = False,
    *,
    shared: SharedOptions,
) -> None:
    """Read a stored report."""
    report = run(lambda: _read(run_id, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(report.model_dump(mode="json"))
    elif markdown:
        typer.echo(render_markdown(report, now=datetime.now(UTC)), nl=False)
    else:
        show_report(report, out(), shared)


async def _read(run_id: str | None, shared: SharedOptions) -> Report:
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        return Report.model_validate((await store.reports.get(run_id or await _newest(store))).body)


async def _newest(store: Store) -> str:
    reports = (await store.reports.page(limit=1)).items
    if not reports:
        raise UnknownNameError("report", "the newest", (), next_step="run `plugineval demo` or `plugineval evaluate`")
    return reports[0].run_id
