"""`plugineval export`: a benchmark as one folder of JSON lines and a card, which `plugineval import` reads back."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.pccf.values import Json
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.wording import counted


@with_shared_options
def export_command(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="An id, its beginning, a name, or NAME@VERSION.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.")],
    *,
    shared: SharedOptions,
) -> None:
    """Write a benchmark into a folder: cases, proofs, rounds and a card, sealed by their hashes."""
    told = run(lambda: _export(benchmark, folder, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(told)
    else:
        typer.echo(f"{counted(int(str(told['examples'])), 'example')} in {folder}. Next: plugineval import {folder}")


async def _export(benchmark: str, folder: Path, shared: SharedOptions) -> dict[str, Json]:
    from plugineval.clients.formats.benchmark_folder import write_folder
    from plugineval.server.benchmarks.folders import folder_of

    async with engine_for(read_settings(shared)) as engine:
        content = await folder_of(await engine.workspace.store(), benchmark)
    files = write_folder(folder, content)
    found = content.benchmark
    return {
        "benchmark_id": found.id,
        "version": found.release.version,
        "content_hash": found.content_hash,
        "examples": len(found.examples),
        "records": len(content.records),
        "files": [str(path) for path in files],
    }
