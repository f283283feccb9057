"""The ablation job: every variant constructs on one journal, so that a candidate is paid for once and compared often.

Variants run one after the other, the full pipeline first. Nothing is kept as a benchmark; the report is the result.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plugineval.harness.ablation.building import ablation_report
from plugineval.pccf.ablations.asking import Asking
from plugineval.pccf.ablations.evaluator_oracle import EvaluatorOracle
from plugineval.pccf.ablations.runs import VariantRun, run_variant, with_truth
from plugineval.pccf.ablations.truth import Oracle, People
from plugineval.pccf.ablations.variants import Variant, levels_of, variants_of
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.metering import Meter
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Json, content_hash
from plugineval.server.jobs.ablate_outcome import AblationOutcome, golds_of
from plugineval.server.jobs.ablate_progress import AblationProgress
from plugineval.server.jobs.confirmations import until_unconfirmed
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.estimating import estimate_of
from plugineval.server.jobs.metering import open_meter
from plugineval.server.jobs.params import AblateParams
from plugineval.server.jobs.preflight import preflight_build
from plugineval.server.jobs.snapshots import snapshot
from plugineval.server.settings.pricing import require_prices
from plugineval.server.wiring import open_roles, played_ledger, plugin_pool

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


async def run_ablation(context: JobContext) -> Json:
    """Run the variants of `AblateParams`; the result is an `AblationOutcome`."""
    params = AblateParams.model_validate(context.params)
    settings = context.workspace.settings
    require_prices(settings, params.config)
    meters = open_meter(context.store, context.job_id, params.config.limits)
    async with meters as meter, plugin_pool(settings, params.plugins, job_id=context.job_id) as pool:
        rehearsed = await preflight_build(context, params, meter)
        context.progress(0, None, "starting plugins")
        plugins = {name: await snapshot(context, pool, name) for name in params.plugins}
        bench = _Bench(context, params, meter, pool, plugins)
        levels = await bench.levels()
    report = ablation_report([runs for runs in levels if runs], bench.judged_by)
    outcome = AblationOutcome(
        **dict(report),
        job_id=context.job_id,
        plugins=params.plugins,
        calls=meter.spent.calls,
        spent=meter.spent,
        minutes=round(meter.seconds / 60, 3),
        limit=meter.sentence,
        not_run=tuple(bench.not_run),
        warnings=tuple(dict.fromkeys(bench.warnings)),
        preflight=tuple(rehearsed),
        golds=golds_of(run for runs in levels for run in runs),
    )
    return outcome.model_dump(mode="json")


@dataclass
class _Bench:
    """Where variants are run: the plugins, the meter and the journal that all of them share."""

    context: JobContext
    params: AblateParams
    meter: Meter
    pool: "PluginPool"
    plugins: dict[str, Plugin]
    judged_by: str = ""
    not_run: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])

    async def levels(self) -> list[list[VariantRun]]:
        """For every set of plugins the runs of its variants, in order."""
        params = self.params
        levels = levels_of(params.plugins, params.plugins_from)
        variants = variants_of(params.config, params.variants, params.sweeps)
        settings, journal = self.context.workspace.settings, self.context.journal
        asking = Asking(played_ledger(settings, self.meter.ledger(journal), journal.replayed))
        largest = self._plan(levels[-1])
        opening = estimate_of(settings, variants[0].config, largest.toolset, largest.executable)
        told = AblationProgress(self.context, len(levels) * len(variants), params.config.size, opening.told)
        return [await self._level(self._plan(names), variants, asking, told) for names in levels]

    async def _level(
        self, plan: ConstructionPlan, variants: Sequence[Variant], asking: Asking, told: AblationProgress
    ) -> list[VariantRun]:
        """A configuration that was run already is not run again; once a limit is spent, nothing more is begun."""
        runs: list[VariantRun] = []
        for variant in variants:
            if self.meter.reached is not None:
                self.not_run.append(f"{variant.name} ({', '.join(plugin.name for plugin in plan.plugins)})")
                continue
            same = next((run for run in runs if run.variant.config == variant.config), None)
            told.begin(variant, plan)
            run = await self._run(plan, variant, asking, told) if same is None else _named(same, variant)
            runs.append(run)
        return runs

    async def _run(
        self, plan: ConstructionPlan, variant: Variant, asking: Asking, told: AblationProgress
    ) -> VariantRun:
        context, ledger, judging = self.context, asking.ledger(), None
        work = context.work.queue(apart=not variant.config.verification.allow_self_judged)
        async with open_roles(context.workspace, variant.config, self.pool, ledger, self.meter, work) as cast:
            told.cast(cast.ids)
            run = await run_variant(variant, plan, cast, until_unconfirmed(context, told.on_event))
            if run.result.incomplete is not None:
                raise IncompleteError(told.cause_of(run.result.incomplete))
            asked, judging = ledger.asked, asking.ledger()
            oracle = self._oracle(EvaluatorOracle.of(cast.verifier, judging))
            run = await with_truth(run, oracle)
        return run.model_copy(update={"asked": asked, "judging": judging.asked})

    def _oracle(self, evaluators: EvaluatorOracle) -> Oracle:
        oracle = People(self.params.verdicts, evaluators) if self.params.verdicts else evaluators
        self.judged_by = oracle.id
        return oracle

    def _plan(self, names: Sequence[str]) -> ConstructionPlan:
        """Of one set of plugins. The benchmark id is that of the job: equal candidates have equal records."""
        params, plugins = self.params, [self.plugins[name] for name in names]
        toolset = Toolset.of_plugins(plugins)
        fitted = None if params.catalog is None else params.catalog.fitted(toolset)
        self.warnings += fitted.warnings if fitted else ()
        return ConstructionPlan(
            name=params.name,
            benchmark_id=f"ablation-{content_hash(self.context.job_id)[:12]}",
            plugins=tuple(plugins),
            toolset=toolset,
            config=params.config,
            catalog=fitted.catalog if fitted else None,
            seeds=params.seeds,
            executable=frozenset(tool.offered_name for tool in toolset.tools if self.pool.may_execute(tool).allowed),
        )


def _named(run: VariantRun, variant: Variant) -> VariantRun:
    """The same run as another variant; it asked nothing new."""
    asked = run.asked.model_copy(update={"calls": 0, "replayed": run.asked.calls + run.asked.replayed})
    return run.model_copy(
        update={"variant": variant, "asked": asked, "judging": run.judging.model_copy(update={"calls": 0})}
    )
