"""What a run does where its command line is silent (`[run]`)."""

from typing import TYPE_CHECKING

from pydantic import Field

from plugineval.harness.policies import ExtraCalls, Meaning, SelfJudged
from plugineval.pccf.values import Value
from plugineval.server.store.states import Engine

if TYPE_CHECKING:
    from plugineval.harness.run import RunConfig

MOST_REPEATS = 10_000
"""Of one case: far beyond what run-to-run noise takes to be known, and short of what a slip of the finger asks for."""


class RunDefaults(Value):
    """The fields of `RunConfig` but variants, which are of one run, and who runs it; no models: the command line has to
    name them.
    """

    models: tuple[str, ...] = ()
    repeats: int = Field(default=3, ge=1, le=MOST_REPEATS)
    concurrency: int = Field(default=8, ge=1)
    extra_calls: ExtraCalls = "ignore"
    meaning: Meaning = "settle"
    self_judged: SelfJudged = "exclude"
    expires_after_days: int = Field(default=90, ge=1)
    engine: Engine = "here"
    """Whether the process that starts a run measures it, or every `plugineval worker` on its database."""

    def config(self, *models: str) -> "RunConfig":
        """The configuration of a run of `models`, or of the models in the file where none is given."""
        from plugineval.harness.run import RunConfig

        return RunConfig.model_validate(self.model_dump(exclude={"engine"}) | {"models": models or self.models})
