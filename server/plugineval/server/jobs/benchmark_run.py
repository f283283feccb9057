"""Planning a run on a stored benchmark: its cases, its scope, the settings' numbers."""

from collections.abc import Sequence

from plugineval.harness.run import RunConfig
from plugineval.harness.scope import scope_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.jobs.cases import cases_of_benchmark
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.params import EvaluateParams
from plugineval.server.workspace import Workspace


async def plan_benchmark_run(
    workspace: Workspace,
    benchmark_id: str,
    *,
    models: Sequence[str],
    repeats: int | None = None,
    concurrency: int | None = None,
    base_url: str | None = None,
) -> EvaluateParams:
    """Store a run of `models` on a benchmark; what is None comes from the settings."""
    benchmark = await (await workspace.store()).benchmarks.get(benchmark_id)
    if not benchmark.examples:
        raise ConfigurationError(
            f"benchmark {benchmark.id} holds no examples", field="benchmark", next_step="build it, or resume its job"
        )
    cases = cases_of_benchmark(benchmark)
    scope = scope_of(benchmark.name, benchmark.content_hash, cases, plugins=benchmark.plugins, roles=benchmark.roles)
    config = run_config(workspace, models, repeats=repeats, concurrency=concurrency)
    source = RunSource(scope=scope, benchmark_id=benchmark.id)
    return await plan_run(workspace, cases, source=source, config=config, base_url=base_url)


def run_config(
    workspace: Workspace, models: Sequence[str], *, repeats: int | None, concurrency: int | None
) -> RunConfig:
    """The settings' run configuration with what was said on top."""
    said = {"repeats": repeats, "concurrency": concurrency}
    defaults = workspace.settings.run
    if not models and not defaults.models:
        raise ConfigurationError(
            "no model is named", field="model", next_step="give --model ID, or write models = [...] under [run]"
        )
    chosen = defaults.config(*dict.fromkeys(models))
    return chosen.model_copy(update={name: value for name, value in said.items() if value is not None})
