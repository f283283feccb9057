"""`plugineval versions`: the history of a benchmark, with what changed in each version and why."""

from typing import Annotated

import typer

from plugineval.pccf.releases import Change
from plugineval.pccf.values import Json, canonical_json
from plugineval.server.benchmarks.versions import VersionLine, version_lines
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.wording import counted

_SHOWN = 200


@with_shared_options
def versions_command(
    benchmark: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="Any version: an id, its beginning, or a name.")
    ],
    *,
    shared: SharedOptions,
) -> None:
    """List the versions of a benchmark, the first one first, each with its changelog."""
    found = run(lambda: _versions(benchmark, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"versions": [line.model_dump(mode="json") for line in found]})
    else:
        typer.echo("\n".join(text for line in found for text in _told(line)))


async def _versions(benchmark: str, shared: SharedOptions) -> tuple[VersionLine, ...]:
    async with engine_for(read_settings(shared)) as engine:
        return await version_lines(await engine.workspace.store(), benchmark)


def _told(line: VersionLine) -> list[str]:
    made = f"{line.created_at:%Y-%m-%d %H:%M}"
    head = f"{line.name}@{line.version}  {line.benchmark_id}  {made}: {counted(line.examples, 'example')}"
    note = f"  {line.note}" if line.note else ""
    return [
        printable(head),
        f"  content {line.content_hash}",
        *([printable(note)] if note else []),
        *map(_change, line.changes),
    ]


def _change(change: Change) -> str:
    by = f" ({change.by})" if change.by else ""
    why = f": {change.reason}{by}" if change.reason else ""
    return printable(f"  {change.kind.value} {change.case}{why}; {_value(change.before)} -> {_value(change.after)}")


def _value(value: Json) -> str:
    text = "nothing" if value is None else value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
