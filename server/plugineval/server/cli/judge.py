"""`plugineval judge`: verdicts on a file of rows, each a case with what a model answered, one line a row.

Rules decide what notation settles; a row that hangs on meaning is `unsure` until `--judge MODEL` settles it. The store
is opened for such a judge alone: its answers are kept there, so that no pair of values is ever asked about twice.
"""

import gc
import os
import sys
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader, read_judge_rows
from plugineval.clients.formats.records import Remark
from plugineval.harness.cases import ExtraCalls
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.judging.stats import JudgeStats
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import read_settings, run
from plugineval.server.cli.terminal import echo_json, say
from plugineval.server.jobs.judge_file import Counting, LineCounts, RowGrading, graded_lines, line_of
from plugineval.server.wiring import open_judge
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.clients.checks.loading import LoadedCheck
    from plugineval.harness.judging.judge import GoldAnchoredJudge

NO_JUDGE = "none"
STREAM = "-"
REFUSALS_SHOWN = 10
COLLECT_AFTER = 50_000
"""Objects made and kept before the garbage collector looks for cycles."""


class JudgeOptions(Value):
    """One command line."""

    file: str
    out: str = STREAM
    judge: str = NO_JUDGE
    base_url: str | None = None
    checks: tuple[Path, ...] = ()
    salvage: bool = False
    extra_calls: ExtraCalls = "ignore"
    shared: SharedOptions = SharedOptions()


class JudgedFile(Value):
    """What came of it, as `--json` prints it."""

    file: str
    out: str
    counts: LineCounts
    judge: str = NO_JUDGE
    prompt_hash: str | None = None
    """Of the judge's prompt."""
    stats: JudgeStats | None = None
    checks: dict[str, str] = {}
    """Tool -> where its check comes from."""
    extra_calls: ExtraCalls = "ignore"


@with_shared_options
def judge_command(
    file: Annotated[str, typer.Option("--file", help="Rows to judge, one JSON object a line; - reads stdin.")],
    judge: Annotated[str, typer.Option("--judge", help="A model id that settles what rules leave open.")] = NO_JUDGE,
    out: Annotated[str, typer.Option("--out", help="Where the verdicts go; - is stdout.")] = STREAM,
    check: Annotated[list[Path] | None, typer.Option(help="A .py file of semantic checks; may be repeated.")] = None,
    salvage: Annotated[bool, typer.Option("--salvage", help="Read calls written into a text as calls.")] = False,
    extra_calls: Annotated[ExtraCalls, typer.Option(help="Whether a call beyond gold fails a row.")] = "ignore",
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of an unregistered judge.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Grade recorded answers. Exit code 3: some rows could not be graded; their lines say why."""
    options = JudgeOptions(
        file=file,
        out=out,
        judge=judge,
        base_url=base_url,
        checks=tuple(check or ()),
        salvage=salvage,
        extra_calls=extra_calls,
        shared=shared,
    )
    judged = run(lambda: judge_file(options), as_json=shared.as_json)
    if shared.as_json:
        echo_json(judged.model_dump(mode="json"))
    raise typer.Exit(ExitCode.INCOMPLETE if judged.counts.failed else ExitCode.OK)


async def judge_file(options: JudgeOptions) -> JudgedFile:
    """Grade the rows of the file; what cannot be used is refused before anything is read or written."""
    _check_places(options)
    with _rows(options) as rows, _checks(options.checks) as checks:
        for tool, found in checks.items():
            say(f"check of {tool}: {found.source}")
        async with _judge(options) as judge:
            policy = GradingPolicy(extra_calls=options.extra_calls, meaning="ask")
            counts = await _write(rows, RowGrading(judge=judge, policy=policy, checks=checks), options.out)
    judged = JudgedFile(
        file=options.file,
        out=options.out,
        counts=counts,
        judge=options.judge,
        prompt_hash=judge.prompt_hash if judge else None,
        stats=judge.stats if judge else None,
        checks={tool: found.source for tool, found in checks.items()},
        extra_calls=options.extra_calls,
    )
    _tell(judged)
    return judged


async def _write(rows: Iterator[JudgeRow | Remark], grading: RowGrading, out: str) -> LineCounts:
    counting, shown = Counting(), 0
    with _opened(out) as file, _rare_collections():
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
    if options.out != STREAM and options.file != STREAM:
        out, file = Path(options.out), Path(options.file)
        if out.exists() and file.exists() and out.samefile(file):
            raise ConfigurationError("is the file that is read", field="--out", next_step="name another file")


@contextmanager
def _rows(options: JudgeOptions) -> Generator[Iterator[JudgeRow | Remark]]:
    """The rows, the first of them read already: a file that cannot be read leaves the verdicts of last time alone."""
    if options.file == STREAM:
        rows = JudgeRowReader(salvage=options.salvage).read(sys.stdin.buffer)
    else:
        rows = read_judge_rows(Path(options.file), salvage=options.salvage)
    first = next(rows, None)
    yield rows if first is None else chain([first], rows)


@contextmanager
def _rare_collections() -> Generator[None]:
    """Rows leave no cycles behind: looking for some in every thousand objects would cost a fifth of the time."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _opened(out: str) -> Generator[IO[str]]:
    if out == STREAM:
        yield sys.stdout
        return
    try:
        file = Path(out).open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise ConfigurationError(f"cannot be written: {error.strerror or error}", field="--out") from error
    with file:
        yield file


@contextmanager
def _checks(files: tuple[Path, ...]) -> Generator[Mapping[str, "LoadedCheck"]]:
    from plugineval.clients.checks.loading import open_checks

    with open_checks(files) as checks:
        yield checks


@asynccontextmanager
async def _judge(options: JudgeOptions) -> AsyncGenerator["GoldAnchoredJudge | None"]:
    if options.judge == NO_JUDGE:
        yield None
        return
    settings, environ = read_settings(options.shared), os.environ
    async with aclosing(Workspace(settings, environ=environ)) as workspace:
        async with open_judge(workspace, options.judge, base_url=options.base_url) as judge:
            yield judge
