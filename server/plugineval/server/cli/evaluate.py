"""`plugineval evaluate`: measure models on a benchmark, or on the cases of a file."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.clients.formats.jsonl import read_cases
from plugineval.harness.outcomes import Exclusion
from plugineval.harness.scope import scope_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, read_settings, run, run_job
from plugineval.server.cli.showing import show_stored_report
from plugineval.server.cli.terminal import err, out
from plugineval.server.jobs.benchmark_run import plan_benchmark_run, run_config
from plugineval.server.jobs.cases import case_of_record
from plugineval.server.jobs.evaluate import plan_run
from plugineval.server.jobs.outcomes import EvaluationOutcome
from plugineval.server.jobs.params import EvaluateParams
from plugineval.server.workspace import Workspace

REMARKS_SHOWN = 10
OUTAGES = frozenset({Exclusion.PROVIDER_ERROR, Exclusion.RATE_LIMITED, Exclusion.TIMEOUT, Exclusion.BAD_RESPONSE})
"""Rows that were never answered: the run is incomplete, and resuming it asks for them again."""


class EvaluateOptions(Value):
    """The command line of an evaluation; None comes from the settings."""

    what: str
    models: tuple[str, ...] = ()
    base_url: str | None = None
    repeats: int | None = None
    concurrency: int | None = None
    shared: SharedOptions


@with_shared_options
def evaluate_command(
    what: Annotated[str, typer.Argument(metavar="BENCHMARK_OR_CASES", help="A benchmark id, or a .jsonl file.")],
    model: Annotated[list[str] | None, typer.Option("--model", help="A model id; may be repeated.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of models not registered.")] = None,
    repeats: Annotated[int | None, typer.Option(min=1, help="Times each case is asked.")] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Calls in flight at most.")] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Measure models and write the report. Exit code 3: some rows were never answered; `resume` asks again."""
    options = EvaluateOptions(
        what=what,
        models=tuple(model or ()),
        base_url=base_url,
        repeats=repeats,
        concurrency=concurrency,
        shared=shared,
    )
    outcome = run(lambda: evaluate(options), as_json=shared.as_json)
    if shared.as_json:
        typer.echo(outcome.model_dump_json())
    raise typer.Exit(exit_code(outcome))


def exit_code(outcome: EvaluationOutcome) -> ExitCode:
    """Whether every row was answered."""
    return ExitCode.INCOMPLETE if OUTAGES & outcome.errors.keys() else ExitCode.OK


async def evaluate(options: EvaluateOptions) -> EvaluationOutcome:
    """Plan the run, run its job, and show the report to a person."""
    settings = read_settings(options.shared)
    async with engine_for(settings) as engine:
        params, refused = await _plan(engine.workspace, options)
        result = await run_job(engine, "evaluate", params, quiet=options.shared.as_json)
        outcome = EvaluationOutcome.model_validate(result).model_copy(update={"refused_cases": refused})
        if not options.shared.as_json:
            await show_stored_report(await engine.workspace.store(), outcome.run_id, out())
        return outcome


async def _plan(workspace: Workspace, options: EvaluateOptions) -> tuple[EvaluateParams, int]:
    """The stored run, and how many lines of the file are not in it."""
    path = Path(options.what)
    if path.suffix != ".jsonl" and not path.is_file():
        params = await plan_benchmark_run(
            workspace,
            options.what,
            models=options.models,
            repeats=options.repeats,
            concurrency=options.concurrency,
            base_url=options.base_url,
        )
        return params, 0
    found = read_cases(path)
    for remark in found.remarks[:REMARKS_SHOWN]:
        err().print(printable(f"{remark.severity}: {remark.sentence}"), markup=False, highlight=False, soft_wrap=True)
    if len(found.remarks) > REMARKS_SHOWN:
        err().print(f"... and {len(found.remarks) - REMARKS_SHOWN} more remarks on {path.name}", markup=False)
    cases = [case_of_record(record) for record in found.cases]
    if not cases:
        raise ConfigurationError("holds no case", field=str(path))
    config = run_config(workspace, options.models, repeats=options.repeats, concurrency=options.concurrency)
    scope = scope_of(path.name, found.content_hash, cases)
    params = await plan_run(workspace, cases, scope=scope, config=config, benchmark_id=None, base_url=options.base_url)
    return params, len(found.refused)
