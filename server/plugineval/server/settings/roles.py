"""Who plays which role of construction and judging: model names of the settings, or the embedded baseline (P17)."""

from pydantic import Field

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.values import Value

BASELINE = "baseline:lexical"
EMBEDDED = (BASELINE, *WORK_MODELS)
"""Models that need no table in the settings."""


class Roles(Value):
    """Role -> model id. Without a file the embedded baseline plays them all."""

    writer: str = BASELINE
    generators: tuple[str, ...] = Field(default=(BASELINE,), min_length=1)
    """Generator m is played by entry m modulo their number."""
    argument_evaluator: str = BASELINE
    result_evaluator: str = BASELINE
    annotators: tuple[str, ...] = Field(default=(BASELINE,), min_length=1)
    """Vote at levels 1 and 2, each independently of the others; where they differ, the case is not accepted."""
    depth: str | None = None
    """Says how deep the inference of a positive goes, beside its writer; None: the first of `annotators`."""
    router: str = BASELINE
    """The frozen reference router (P37)."""
    judge: str = BASELINE

    @property
    def self_judged(self) -> tuple[str, ...]:
        """Models that are generator and evaluator at once: a bias warning in every record (P17)."""
        # Behind one of these stand several agents, who are told apart when they answer.
        evaluators = {self.argument_evaluator, self.result_evaluator} - set(WORK_MODELS)
        return tuple(model for model in dict.fromkeys(self.generators) if model in evaluators)

    @property
    def judged_by_words(self) -> str:
        """A warning where the embedded baseline may reject what a model wrote; empty where it may not."""
        judging = ("annotators", "argument_evaluator", "result_evaluator")
        lexical = [role for role in judging if BASELINE in self.assigned[role]]
        if self.writer == BASELINE or not lexical:
            return ""
        return (
            f"{BASELINE} plays {', '.join(lexical)}, and {self.writer} writes: it matches words and not meaning, and "
            "rejects most of what a model writes"
        )

    @property
    def assigned(self) -> dict[str, tuple[str, ...]]:
        """Role -> the models that play it."""
        named: dict[str, str | tuple[str, ...]] = {**dict(self), "depth": self.depth_annotator}
        return {role: players if isinstance(players, tuple) else (players,) for role, players in named.items()}

    @property
    def players(self) -> tuple[str, ...]:
        """Every model that plays a role of construction, each once."""
        building = {role: models for role, models in self.assigned.items() if role != "judge"}
        return tuple(dict.fromkeys(model for models in building.values() for model in models))

    @property
    def depth_annotator(self) -> str:
        """Who plays `depth`."""
        return self.depth or self.annotators[0]
