"""What starts a job. Parameters are stored with the job, so that a resumed job is the same job."""

from pydantic import Field

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.values import Value


class BuildParams(Value):
    """Construct a benchmark on registered plugins."""

    plugins: tuple[str, ...] = Field(min_length=1)
    name: str
    config: BuildConfig = BuildConfig()


class EvaluateParams(Value):
    """Measure the models of a stored run on its cases."""

    run_id: str
    base_url: str | None = None
    """Only a person at the command line sets it; an agent selects registered models."""
    refused_cases: int = Field(default=0, ge=0)
    """Lines of a cases file that the run does not hold."""
