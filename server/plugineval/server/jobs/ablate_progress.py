"""How far an ablation is: which variant is being constructed, in which round, and how many examples it has."""

from collections.abc import Mapping

from plugineval.pccf.ablations.variants import Variant
from plugineval.pccf.construction.events import ConstructionEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.construction.results import Incomplete
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.outages import Outages


class AblationProgress:
    """Every variant is worth as many units as its construction has examples to find."""

    def __init__(self, context: JobContext, variants: int, size: int, opening: str) -> None:
        """`opening` is told until the first variant is under way."""
        self._context, self._variants, self._size = context, variants, size
        self._begun = self._found = 0
        self._name = ""
        self._outages = Outages({})
        self._tell(opening)

    def begin(self, variant: Variant, plan: ConstructionPlan) -> None:
        """The next variant."""
        self._begun += 1
        self._found = 0
        plugins = ", ".join(plugin.name for plugin in plan.plugins)
        self._name = f"variant {self._begun} of {self._variants}: {variant.name} on {plugins}"
        if self._begun > 1:
            self._tell(self._name)

    def cast(self, roles: Mapping[str, str]) -> None:
        """Who plays in it."""
        self._outages = Outages(roles)

    def cause_of(self, incomplete: Incomplete) -> str:
        """Why the variant could not go on, with who could not be reached."""
        return f"{self._name}: {incomplete.cause}. {self._outages.sentence}".rstrip(". ")

    async def on_event(self, event: ConstructionEvent) -> None:
        """Count one event."""
        match event:
            case RecordVerified(record=record, example=example):
                self._outages.of_record(record)
                self._found += example is not None and self._found < self._size
                self._tell(self._name)
            case RoundEnded(round=ended):
                self._outages.of_round(ended)
                self._tell(f"{self._name}, round {ended.number}")
            case _:
                pass

    def _tell(self, message: str) -> None:
        done = max(0, self._begun - 1) * self._size + self._found
        self._context.progress(done, self._variants * self._size, message)
