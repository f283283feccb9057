"""`plugineval report`: read a stored report; no model and no plugin is touched."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from plugineval.harness.expiry import Expiry
from plugineval.harness.rendering.markdown import render_markdown
from plugineval.harness.report import Report
from plugineval.pccf.errors import UnknownNameError
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, read_settings, run
from plugineval.server.cli.showing import show_report
from plugineval.server.cli.terminal import echo_json, out
from plugineval.server.jobs.reading import expiry_now, read_report
from plugineval.server.store.store import Store


@with_shared_options
def report_command(
    run_id: Annotated[
        str | None, typer.Argument(help="A run id, its beginning, or a grading; the newest run where none is given.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the whole report as markdown.")] = False,
    *,
    shared: SharedOptions,
) -> None:
    """Read a stored report. EXPIRED: its date has passed, or tools, gold or models are not what they were."""
    now = datetime.now(UTC)
    report, expiry = run(lambda: _read(run_id, now, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({**report.model_dump(mode="json"), "expiry": expiry_object(expiry)})
    elif markdown:
        typer.echo(render_markdown(report, now=now, expiry=expiry), nl=False)
    else:
        show_report(report, out(), shared, expiry)


def expiry_object(expiry: Expiry) -> dict[str, object]:
    """Whether the numbers still hold, as scripts read it."""
    return {"expired": expiry.expired, **expiry.model_dump(mode="json")}


async def _read(run_id: str | None, now: datetime, shared: SharedOptions) -> tuple[Report, Expiry]:
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        report = await read_report(store, run_id or await _newest(store))
        return report, await expiry_now(store, report, now)


async def _newest(store: Store) -> str:
    reports = (await store.reports.page(limit=1)).items
    if not reports:
        raise UnknownNameError("report", "the newest", (), next_step="run `plugineval demo` or `plugineval evaluate`")
    return reports[0].run_id
