"""`plugineval demo`: the main job on two real servers from the registry, with no key and no network.

Snapshots mcp-server-time and mcp-mathematics, builds a benchmark whose gold calls were executed on them, measures the
embedded baseline and the models that know nothing, and shows the report.
"""

import os
import time
from typing import Annotated

import typer

from plugineval.clients.plugins.commands import resolve_command
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.gradings import NO_JUDGE
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.values import Value
from plugineval.server.cli.build import build_summary
from plugineval.server.cli.demo_plugins import PLUGINS, with_demo_plugins
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.program import command_line
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.showing import show_indented, show_stored_report
from plugineval.server.cli.terminal import echo_json, out
from plugineval.server.jobs.benchmark_run import plan_benchmark_run
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome, ModelOutcome
from plugineval.server.jobs.outcomes import BuildOutcome
from plugineval.server.jobs.params import BuildParams, GradingWishes, RunWishes
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings
from plugineval.server.store.ids import new_job_id

SIZE = 40


class DemoPlugin(Value):
    """A plugin of the demo, as it was found."""

    name: str
    version: str
    tools: int


class DemoOutcome(Value):
    """What `plugineval demo --json` prints."""

    benchmark_id: str
    run_id: str
    report_uri: str
    accepted: int
    surplus: int
    """Verified candidates that the benchmark had no place for."""
    rejected: int
    positives: int
    negatives: dict[str, int]
    difficulties: dict[str, int]
    models: tuple[ModelOutcome, ...]
    plugins: tuple[DemoPlugin, ...]
    database: str
    seconds: float


@with_shared_options
def demo_command(
    size: Annotated[int, typer.Option(min=8, max=200, help="Examples wanted.")] = SIZE,
    *,
    shared: SharedOptions,
) -> None:
    """Run the main job on two real servers: build, verify, measure, report. No key, no network, under a minute."""
    outcome = run(lambda: _demo(size, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))


async def _demo(size: int, shared: SharedOptions) -> DemoOutcome:
    started = time.monotonic()
    settings = _demo_settings(read_settings(shared))
    async with engine_for(settings) as engine:
        built = await _build(engine, size, shared)
        measured = await _measure(engine, built.benchmark_id, shared)
        store = await engine.workspace.store()
        benchmark = await store.benchmarks.get(built.benchmark_id)
        outcome = _outcome(built, measured, benchmark, database=store.place, seconds=time.monotonic() - started)
        if not shared.as_json:
            show_indented(build_summary(built), out())
            await show_stored_report(store, measured.run_id, out(), shared)
            _show_places(outcome, settings)
        return outcome


def _demo_settings(settings: Settings) -> Settings:
    for plugin in PLUGINS:
        try:
            resolve_command(plugin, os.environ)
        except PluginUnavailableError as error:
            step = "pip install 'plugineval[demo]'"
            raise PluginUnavailableError(error.problem, field="demo", next_step=step) from error
    return with_demo_plugins(settings.model_copy(update={"plugins": {}}))


async def _build(engine: JobEngine, size: int, shared: SharedOptions) -> BuildOutcome:
    config = engine.workspace.settings.build.model_copy(update={"size": size})
    params = BuildParams(plugins=tuple(plugin.name for plugin in PLUGINS), name="demo", config=config)
    return BuildOutcome.model_validate(await run_job(engine, "build", params, shared))


async def _measure(engine: JobEngine, benchmark_id: str, shared: SharedOptions) -> EvaluationOutcome:
    models = (BASELINE, *(model.id for model in degenerate_models()))
    # All of them answer a query the same way each time, so that a second repeat would only look like more evidence.
    wishes = RunWishes(models=models, repeats=1, grading=GradingWishes(judge=NO_JUDGE))
    job_id = new_job_id()
    params = await plan_benchmark_run(engine.workspace, benchmark_id, wishes, job_id=job_id)
    return EvaluationOutcome.model_validate(await run_job(engine, "evaluate", params, shared, job_id=job_id))


def _outcome(
    built: BuildOutcome, measured: EvaluationOutcome, benchmark: Benchmark, *, database: str, seconds: float
) -> DemoOutcome:
    return DemoOutcome(
        benchmark_id=built.benchmark_id,
        run_id=measured.run_id,
        report_uri=measured.report_uri,
        accepted=built.accepted,
        surplus=built.surplus,
        rejected=built.rejected,
        positives=built.positives,
        negatives=built.negatives,
        difficulties=built.difficulties,
        models=measured.models,
        plugins=tuple(
            DemoPlugin(name=plugin.name, version=plugin.version, tools=len(plugin.tools))
            for plugin in benchmark.plugins
        ),
        database=database,
        seconds=round(seconds, 2),
    )


def _show_places(outcome: DemoOutcome, settings: Settings) -> None:
    for line in (
        f"Database: {outcome.database}",
        f"Plugins ran in: {settings.home / 'plugins'}",
        f"Took {outcome.seconds:.0f} s. `baseline:lexical` is a floor, not an LLM.",
        "The next command writes a plugineval.toml with the servers your other hosts use, and says how to go on.",
        f"Next: {command_line('init')}",
    ):
        typer.echo(line)
