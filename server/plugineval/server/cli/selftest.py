"""`plugineval selftest`: the grader on trial, on its own rows or on yours. A verdict that moves is a defect of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.harness.rendering.tables import numbers, table_of, text
from plugineval.pccf.values import Json
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_sentence, show_tables
from plugineval.server.cli.terminal import echo_json, out, say

if TYPE_CHECKING:
    from rich.console import Console

    from plugineval.harness.selftest import SelfTest
    from plugineval.harness.selftest.rows import TrialRow

VIOLATIONS_SHOWN = 5


@with_shared_options
def selftest_command(
    what: Annotated[
        str | None,
        typer.Argument(metavar="BENCHMARK_OR_FILE", help="A benchmark, a .jsonl file of cases or of rows to judge."),
    ] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Respell rows in ways that mean the same and grade them again. Exit code 1: a verdict moved."""
    found = run(lambda: _tried(what, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"moved": found.moved, **found.model_dump(mode="json")})
    else:
        show(found, out())
    raise typer.Exit(ExitCode.CHECK_FAILED if found.moved else ExitCode.OK)


def show(found: "SelfTest", console: "Console") -> None:
    """The relations as a table, and below it the first verdicts that moved."""
    verdict = f"{found.moved} verdicts moved" if found.moved else "no verdict moved"
    show_sentence(f"{found.rows} rows, respelled in {len(found.relations)} ways: {verdict}.", console, style="bold")
    rows = [(relation.name, relation.sentence, str(relation.rows), str(relation.moved)) for relation in found.relations]
    columns = (text("relation"), text("what is respelled"), *numbers("rows", "violations"))
    show_tables([table_of("selftest", "", columns, rows)], console)
    for relation in found.relations:
        for violation in relation.violations[:VIOLATIONS_SHOWN]:
            before, after = _word(violation.before), _word(violation.after)
            say(f"{relation.name}, {violation.case}: {before} became {after}")


def _word(verdict: dict[str, Json]) -> str:
    return " ".join(str(verdict[name]) for name in ("verdict", "category", "subtype", "outcome") if verdict[name])


async def _tried(what: str | None, shared: SharedOptions) -> "SelfTest":
    from plugineval.harness.selftest import built_in_rows, self_test

    if what is None:
        return self_test(built_in_rows())
    path = Path(what)
    if path.suffix == ".jsonl" or path.is_file():
        return self_test(_rows_of_file(path))
    return self_test(await _rows_of_benchmark(what, shared))


def _rows_of_file(path: Path) -> Iterator["TrialRow"]:
    """Rows made from the cases of a file; where it holds answers, those too."""
    from plugineval.clients.formats.jsonl import read_cases
    from plugineval.clients.formats.lines import lines_of
    from plugineval.harness.selftest import rows_of_case
    from plugineval.server.jobs.cases import case_of_record

    if b'"predicted"' in next(lines_of(path), b""):
        yield from _rows_of_answers(path)
        return
    found = read_cases(path)
    for remark in found.refused:
        say(f"refused: {remark.sentence}")
    for record in found.cases:
        yield from rows_of_case(case_of_record(record))


def _rows_of_answers(path: Path) -> Iterator["TrialRow"]:
    from plugineval.clients.formats.judge_rows import JudgeRow, read_judge_rows
    from plugineval.harness.selftest import rows_of_case
    from plugineval.harness.selftest.rows import TrialRow
    from plugineval.server.jobs.cases import case_of_record

    for found in read_judge_rows(path):
        if not isinstance(found, JudgeRow):
            say(f"refused: {found.sentence}")
            continue
        case = case_of_record(found.case)
        if found.reply.failure is None:
            yield TrialRow(case, found.reply.calls)
        yield from rows_of_case(case)


async def _rows_of_benchmark(benchmark_id: str, shared: SharedOptions) -> list["TrialRow"]:
    from plugineval.harness.selftest import rows_of_case
    from plugineval.server.jobs.cases import cases_of_benchmark

    async with engine_for(read_settings(shared)) as engine:
        benchmark = await (await engine.workspace.store()).benchmarks.get(benchmark_id)
    return [row for case in cases_of_benchmark(benchmark) for row in rows_of_case(case)]
