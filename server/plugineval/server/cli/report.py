"""`plugineval report`: read a stored report; no model and no plugin is touched."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from plugineval.harness.expiry import Expiry
from plugineval.harness.rendering.markdown import render_markdown
from plugineval.harness.report import Report
from plugineval.pccf.errors import ConfigurationError, IncompleteError, UnknownNameError
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.files import refuse_existing, write_new
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_report
from plugineval.server.cli.terminal import echo_json, err, out
from plugineval.server.jobs.reading import expiry_now, read_report
from plugineval.server.store.store import Store


@with_shared_options
def report_command(
    run_id: Annotated[
        str | None,
        typer.Argument(help="A run id or its beginning, what it alone measured, or a grading; else the newest run."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the whole report as markdown.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write it as one page that needs nothing else.", dir_okay=False),
    ] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Read a stored report. EXPIRED: its date has passed, or tools, gold or models are not what they were."""
    with reported(err(), as_json=shared.as_json):
        if shared.as_json and markdown:
            raise ConfigurationError("two forms are asked for", field="report", allowed=("--json", "--markdown"))
        refuse_existing(html)
    now = datetime.now(UTC)
    report, expiry = run(lambda: _read(run_id, now, shared), as_json=shared.as_json)
    if html is not None:
        from plugineval.harness.rendering.page import render_page

        with reported(as_json=shared.as_json):
            write_new(html, render_page(report, now=now, expiry=expiry))
    if shared.as_json:
        echo_json({**report.model_dump(mode="json"), "expiry": expiry_object(expiry)})
    elif markdown:
        typer.echo(render_markdown(report, now=now, expiry=expiry), nl=False)
    elif html is not None:
        typer.echo(f"Written to {html}")
    else:
        show_report(report, out(), shared, expiry)


def expiry_object(expiry: Expiry) -> dict[str, object]:
    """Whether the numbers still hold, as scripts read it."""
    return {"expired": expiry.expired, **expiry.model_dump(mode="json")}


async def _read(run_id: str | None, now: datetime, shared: SharedOptions) -> tuple[Report, Expiry]:
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        name = await _newest(store, shared) if run_id is None else run_id
        try:
            report = await read_report(store, name)
        except UnknownNameError as error:
            raise await _without_report(store, name, error, shared) from error
        return report, await expiry_now(store, report, now)


async def _without_report(store: Store, name: str, error: UnknownNameError, shared: SharedOptions) -> Exception:
    """Why `name` means no report: its run has none yet, or there is no such run."""
    try:
        run_id = (await store.runs.entry(name)).id
    except UnknownNameError:
        return error
    step = f"run `{shared.command('resume', run_id)}`"
    return IncompleteError(f"run {run_id} was not finished and has no report", field="run", next_step=step)


async def _newest(store: Store, shared: SharedOptions) -> str:
    reports = (await store.reports.page(limit=1)).items
    if not reports:
        steps = f"run `{shared.command('demo')}` or `plugineval evaluate`; --home names another folder"
        raise ConfigurationError(f"nothing has been measured yet in {store.place}", field="report", next_step=steps)
    return reports[0].run_id
