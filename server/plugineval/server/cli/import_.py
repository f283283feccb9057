"""`plugineval import`: a benchmark from a folder that `plugineval export` wrote, here as it was there."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.pccf.values import Json
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json


@with_shared_options
def import_command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder that `plugineval export` wrote.")],
    *,
    shared: SharedOptions,
) -> None:
    """Read an exported benchmark; a file that was changed since is refused."""
    told = run(lambda: _import(folder, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(told)
    else:
        known = "" if told["new"] else " was here already"
        name = printable(f"{told['name']} ({told['benchmark_id']})")
        typer.echo(f"{name}{known}. Next: {shared.command('evaluate', str(told['benchmark_id']), '--model', 'NAME')}")


async def _import(folder: Path, shared: SharedOptions) -> dict[str, Json]:
    from plugineval.clients.formats.benchmark_folder import read_folder
    from plugineval.server.benchmarks.folders import keep_folder

    content = read_folder(folder)
    async with engine_for(read_settings(shared)) as engine:
        new = await keep_folder(await engine.workspace.store(), content)
    found = content.benchmark
    return {
        "benchmark_id": found.id,
        "name": found.name,
        "version": found.release.version,
        "content_hash": found.content_hash,
        "examples": len(found.examples),
        "new": new,
    }
