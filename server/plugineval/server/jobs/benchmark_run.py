"""Planning a run on a stored benchmark: its cases, its scope, the settings' numbers."""

from plugineval.harness.scope import scope_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.jobs.cases import cases_of_benchmark
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.params import EvaluateParams, RunWishes
from plugineval.server.workspace import Workspace


async def plan_benchmark_run(
    workspace: Workspace, benchmark_id: str, wishes: RunWishes, *, job_id: str | None = None
) -> EvaluateParams:
    """Store a run of the wished models on a benchmark, and its job where an id is given for it (`plan_run`); what is
    not said comes from the settings.
    """
    benchmark = await (await workspace.store()).benchmarks.get(benchmark_id)
    if not benchmark.examples:
        raise ConfigurationError(
            f"benchmark {benchmark.id} holds no examples", field="benchmark", next_step="build it, or resume its job"
        )
    cases = cases_of_benchmark(benchmark)
    scope = scope_of(benchmark.name, benchmark.content_hash, cases, plugins=benchmark.plugins, roles=benchmark.roles)
    source = RunSource(scope=scope, benchmark_id=benchmark.id)
    return await plan_run(workspace, cases, source=source, wishes=wishes, job_id=job_id)
