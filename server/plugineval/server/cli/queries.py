"""`plugineval queries`: what a build would read of a log of real queries, masked, before any of it is used."""

import json
from pathlib import Path
from typing import Annotated

import typer

from plugineval.clients.traffic.query_file import QueryFile, read_queries
from plugineval.server.cli.exit_codes import ExitCode, reported
from plugineval.server.cli.files import write_new
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.queries_told import query_file_told
from plugineval.server.cli.terminal import echo_json, err, say


@with_shared_options
def queries_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines of text, JSON, chat logs or spans of a trace.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write them there, masked, one JSON a line.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Show real queries as a build would read them. Exit code 3: some lines hold none."""
    with reported(err(), as_json=shared.as_json):
        found = read_queries(file)
        if out is not None:
            write_new(out, _lines(found))
        if shared.as_json:
            echo_json(found.model_dump(mode="json"))
        else:
            typer.echo("\n".join(printable(query.text) for query in found.queries))
            say(query_file_told(found))
        raise typer.Exit(ExitCode.INCOMPLETE if found.refused else ExitCode.OK)


def _lines(found: QueryFile) -> str:
    records = (query.model_dump(mode="json", exclude_none=True) for query in found.queries)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
