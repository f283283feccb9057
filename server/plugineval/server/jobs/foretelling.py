"""The estimate of a build before it starts: its plugins are started and their tools listed, and nobody is asked."""

from plugineval.pccf.estimate import Estimate
from plugineval.pccf.tools import Toolset
from plugineval.server.jobs.estimating import estimate_of
from plugineval.server.jobs.params import BuildParams
from plugineval.server.settings.settings import Settings
from plugineval.server.wiring import plugin_pool


async def estimated(settings: Settings, params: BuildParams) -> Estimate:
    """What the build of `params` will take on its plugins as they are now."""
    async with plugin_pool(settings, params.plugins) as pool:
        toolset = Toolset.of_plugins([await pool.snapshot(name) for name in params.plugins])
        executable = frozenset(tool.offered_name for tool in toolset.tools if pool.may_execute(tool).allowed)
    return estimate_of(settings, params.config, toolset, executable)
