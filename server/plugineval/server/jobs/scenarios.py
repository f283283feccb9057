"""The scenarios job: derive the catalog of registered plugins and nothing else, so that a person can edit it first."""

from plugineval.pccf.coverage.derivation import derive_catalog
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Json
from plugineval.server.catalogs.writing import DerivedCatalog
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.metering import open_meter
from plugineval.server.jobs.params import ScenariosParams
from plugineval.server.jobs.snapshots import snapshot
from plugineval.server.wiring import open_roles, played_ledger, plugin_pool


async def run_scenarios(context: JobContext) -> Json:
    """Derive the catalog of `ScenariosParams`; the result is a `DerivedCatalog`."""
    params = ScenariosParams.model_validate(context.params)
    settings = context.workspace.settings
    context.progress(0, 1, "starting plugins")
    meters = open_meter(context.store, context.job_id, params.config.limits)
    async with meters as meter, plugin_pool(settings, params.plugins, job_id=context.job_id) as pool:
        toolset = Toolset.of_plugins([await snapshot(context, pool, name) for name in params.plugins])
        executable = [tool.offered_name for tool in toolset.tools if pool.may_execute(tool).allowed]
        ledger = played_ledger(settings, meter.ledger(context.journal), context.journal.replayed)
        work = context.work.queue(apart=not params.config.verification.allow_self_judged)
        async with open_roles(context.workspace, params.config, pool, ledger, meter, work) as cast:
            context.progress(0, 1, f"{cast.writer.id} derives scenarios from {len(toolset.tools)} tools")
            catalog = await derive_catalog(cast.writer, toolset, executable, cast.calls, chains=params.config.chains)
            writer = cast.writer.id
    context.progress(1, 1, "derived")
    derived = DerivedCatalog(plugins=params.plugins, toolset=toolset, writer=writer, catalog=catalog)
    return derived.model_dump(mode="json")
