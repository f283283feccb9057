"""`plugineval judge`: verdicts on a file of rows, each a case with what a model answered, one line a row.

Rules decide what notation settles; a row that hangs on meaning is `unsure` until `--judge MODEL` settles it. The store
is opened for such a judge alone: its answers are kept there, so that no pair of values is ever asked about twice.
"""

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import aclosing, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Annotated

import typer

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader, read_judge_rows
from plugineval.clients.formats.records import Remark
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.judging.stats import JudgeStats
from plugineval.pccf.errors import ConfigurationError, InvalidRecordError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.option_groups import AskingOptions, with_asking_options, with_grading_options
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.recorded_names import Typed
from plugineval.server.cli.session import run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json, say
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.judge_file import Counting, LineCounts, RowGrading, graded_lines, line_of
from plugineval.server.jobs.judging import grading_params, open_graders
from plugineval.server.jobs.params import GradingWishes
from plugineval.server.jobs.preflight import preflight
from plugineval.server.workspace import Workspace

STREAM = "-"
REFUSALS_SHOWN = 10


class JudgeOptions(Value):
    """One command line."""

    file: str
    out: str = STREAM
    grading: GradingWishes = GradingWishes()
    asking: AskingOptions = AskingOptions()
    salvage: bool = False
    shared: SharedOptions = SharedOptions()


class JudgedFile(Value):
    """What came of it, as `--json` prints it."""

    file: str
    out: str
    counts: LineCounts
    judge: str
    prompt_hash: str | None = None
    """Of the judge's prompt."""
    stats: JudgeStats | None = None
    checks: dict[str, str] = {}
    """Tool -> where its check comes from."""
    policy: GradingPolicy


@with_shared_options
@with_grading_options
@with_asking_options
def judge_command(
    file: Annotated[str, typer.Option("--file", help="Rows to judge, one JSON object a line; - reads stdin.")],
    out: Annotated[str, typer.Option("--out", help="Where the verdicts go; - is stdout.")] = STREAM,
    salvage: Annotated[bool, typer.Option("--salvage", help="Read calls written into a text as calls.")] = False,
    *,
    asking: AskingOptions,
    grading: GradingWishes,
    shared: SharedOptions,
) -> None:
    """Grade recorded answers. Exit code 3: some rows could not be graded; their lines say why."""
    options = JudgeOptions(
        file=file,
        out=out,
        grading=grading,
        asking=asking,
        salvage=salvage,
        shared=shared,
    )
    judged = run(lambda: judge_file(options), as_json=shared.as_json)
    if shared.as_json:
        echo_json(judged.model_dump(mode="json"))
    raise typer.Exit(ExitCode.INCOMPLETE if judged.counts.failed else ExitCode.OK)


async def judge_file(options: JudgeOptions) -> JudgedFile:
    """Grade the rows of the file; what cannot be used is refused before anything is written."""
    _check_places(options)
    typed, rows = Typed(read_settings(options.shared)), _rows(options)
    grading_wishes = typed.grading(options.grading)
    settings = typed.settings
    params = grading_params(settings, grading_wishes)
    if params.judge in WORK_MODELS:
        problem, step = f"{params.judge} answers inside jobs only", "name a model with --judge, or none"
        raise ConfigurationError(problem, field="judge", next_step=step)
    workspace = Workspace(settings, environ=os.environ)
    policy = GradingPolicy(extra_calls=options.grading.extra_calls or settings.run.extra_calls, meaning="ask")
    async with aclosing(workspace), open_graders(workspace, params, base_url=options.asking.base_url) as graders:
        if not options.asking.no_preflight:
            for rehearsed in await preflight(workspace, (), talkers=[params.judge], base_url=options.asking.base_url):
                say(f"preflight: {rehearsed.warning or f'{rehearsed.model} answers'}")
        checks = {tool: check.source for tool, check in graders.checks.items()}
        for tool, source in checks.items():
            say(f"check of {tool}: {source}")
        grading = RowGrading(judge=graders.judge, policy=policy, checks=graders.checks)
        judged = JudgedFile(
            file=options.file,
            out=options.out,
            counts=await _write(rows, grading, options.out),
            judge=params.judge,
            prompt_hash=graders.judge.prompt_hash if graders.judge else None,
            stats=graders.judge.stats if graders.judge else None,
            checks=checks,
            policy=policy,
        )
    _tell(judged)
    return judged


async def _write(rows: Iterator[JudgeRow | Remark], grading: RowGrading, out: str) -> LineCounts:
    counting, shown = Counting(), 0
    with _opened(out) as file, rare_collections():
        async for line in graded_lines(rows, grading):
            file.write(line_of(line.verdict))
            counting.add(line)
            if line.failed and shown < REFUSALS_SHOWN:
                shown += 1
                say(f"{line.verdict.id}: {line.verdict.reason}")
    return counting.counts()


def _tell(judged: JudgedFile) -> None:
    counts = judged.counts
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in counts.verdicts.items())
    failed = f"; {counts.failed} could not be graded" if counts.failed else ""
    settled = "" if judged.stats is None else f"; the judge was asked {judged.stats.asked} times"
    say(f"{counts.rows} rows: {verdicts}{settled}{failed}")
    if judged.stats is None and counts.exclusions.get("unsure"):
        say(f"Next: settle what hangs on meaning with `--judge MODEL` ({counts.exclusions['unsure']} rows).")


def _check_places(options: JudgeOptions) -> None:
    if options.out == STREAM and options.shared.as_json:
        step = "name a file with --out, or leave --json away"
        raise ConfigurationError("stdout cannot hold the verdicts and one object too", field="--out", next_step=step)
    if STREAM not in {options.out, options.file}:
        out, file = Path(options.out), Path(options.file)
        if out.exists() and file.exists() and out.samefile(file):
            raise ConfigurationError("is the file that is read", field="--out", next_step="name another file")


def _rows(options: JudgeOptions) -> Iterator[JudgeRow | Remark]:
    """The rows, the first of them read already: a file that cannot be read leaves the verdicts of last time alone."""
    if options.file == STREAM:
        rows = JudgeRowReader(salvage=options.salvage).read(sys.stdin.buffer)
    else:
        rows = read_judge_rows(Path(options.file), salvage=options.salvage)
    first = next(rows, None)
    if first is None:
        step = "write one row a line, as JSON"
        raise InvalidRecordError("holds no rows", field=options.file, next_step=step)
    return chain([first], rows)


@contextmanager
def _opened(out: str) -> Generator[IO[str]]:
    if out == STREAM:
        yield sys.stdout
        return
    try:
        with Path(out).open("w", encoding="ascii", newline="\n") as file:
            yield file
    except OSError as error:
        raise ConfigurationError(f"cannot be written: {error.strerror or error}", field="--out") from error
