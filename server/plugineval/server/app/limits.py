"""The hard limits of a construction as arguments of a tool."""

from plugineval.server.app.flat import Flat
from plugineval.server.app.parameters import Most, MostOf
from plugineval.server.jobs.limiting import LimitWishes


class Limits(Flat):
    """0 leaves a limit as it is."""

    max_calls: Most = 0
    max_tokens: Most = 0
    max_cost: MostOf = 0
    max_minutes: MostOf = 0

    @property
    def wishes(self) -> LimitWishes:
        """Those that were said."""
        return LimitWishes.model_validate({name: value for name, value in self if value})
