"""What a worker must have before it begins a whole job: one that began without it would fail the job for everybody."""

from plugineval.pccf.errors import PluginEvalError
from plugineval.server.settings.settings import Settings
from plugineval.server.store.summaries import Job


def lacking(settings: Settings, job: Job) -> PluginEvalError | None:
    """The first plugin of a job that is not registered here, as an error; None where all of them are."""
    params = job.params if isinstance(job.params, dict) else {}
    plugins = params.get("plugins")
    try:
        for name in plugins if isinstance(plugins, list) else []:
            settings.plugin(str(name))
    except PluginEvalError as error:
        return error
    return None
