"""`plugineval scenarios`: derive the scenario catalog of registered plugins as a file that a person edits."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.server.catalogs.writing import DerivedCatalog, catalog_json, catalog_toml
from plugineval.server.cli.files import refuse_existing, write_new
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.jobs.params import ScenariosParams
from plugineval.server.wording import counted, tallied


@with_shared_options
def scenarios_command(
    plugin: Annotated[list[str], typer.Option("--plugin", help="A registered plugin; may be repeated.")],
    output: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the catalog (TOML) there.", dir_okay=False)
    ] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Derive scenarios only: look at them, edit them, and build from them with `build --scenarios FILE`."""
    plugins = tuple(dict.fromkeys(plugin))
    derived = run(lambda: _derive(plugins, output, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(catalog_json(derived, output))
    elif output is None:
        typer.echo(catalog_toml(derived), nl=False)
    else:
        names = [word for name in plugins for word in ("--plugin", name)]
        build = shared.command("build", *names, "--name", "NAME", "--scenarios", str(output))
        typer.echo("\n".join([*_summary(derived), f"Written to {output}. Edit it, then: {build}"]))


async def _derive(plugins: tuple[str, ...], output: Path | None, shared: SharedOptions) -> DerivedCatalog:
    settings = read_settings(shared)
    for name in plugins:
        settings.plugin(name)
    refuse_existing(output)
    params = ScenariosParams(plugins=plugins, config=settings.build)
    async with engine_for(settings) as engine:
        derived = DerivedCatalog.model_validate(await run_job(engine, "scenarios", params, shared))
    if output is not None:
        write_new(output, catalog_toml(derived))
    return derived


def _summary(derived: DerivedCatalog) -> list[str]:
    kinds: dict[str, int] = {}
    for scenario in derived.catalog.scenarios:
        kinds[scenario.kind.value] = kinds.get(scenario.kind.value, 0) + 1
    chains = sum(1 for scenario in derived.catalog.scenarios if scenario.then)
    head = f"{counted(len(derived.catalog.scenarios), 'scenario')} of {counted(len(derived.toolset.tools), 'tool')}"
    lines = [f"{head} by {derived.writer}: {tallied(kinds)}" + (f"; {chains} need several tools" if chains else "")]
    lines += [
        f"  refused {printable(each.scenario.id)}: {each.reason.value}"
        + (f", {printable(each.detail)}" * bool(each.detail))
        for each in derived.catalog.refused
    ]
    return lines + [f"  no trigger for {printable(s.tool)}: {s.reason}" for s in derived.catalog.skipped]
