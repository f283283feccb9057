"""A limit of money is held only where every answer has a price: who has none is named before anything is asked."""

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings

_CONNECTED = ("agent", "sampling")
"""Answer in somebody else's program, which does not say what that costs."""
_RECORDED = "recorded:"
_EXAMPLE = "prices = { input_per_million = 0.15, output_per_million = 0.60 }"


def free_of_charge(model: str) -> bool:
    """Whether asking `model` costs no money of this job."""
    return model == BASELINE or model.startswith(_RECORDED)


def players_of(settings: Settings) -> dict[str, tuple[str, ...]]:
    """Role -> the models that play it in a construction, each once."""
    assigned = settings.roles.assigned.items()
    return {role: tuple(dict.fromkeys(players)) for role, players in assigned if role != "judge"}


def require_prices(settings: Settings, config: BuildConfig) -> None:
    """`ConfigurationError` where `config` limits money and a model that plays a role has no price."""
    if config.limits.cost is None:
        return
    for role, players in players_of(settings).items():
        for model in players:
            if not free_of_charge(model) and not _priced(settings, model):
                raise _unpriced(settings, role, model)


def _priced(settings: Settings, model: str) -> bool:
    return model in settings.models and settings.models[model].prices is not None


def _unpriced(settings: Settings, role: str, model: str) -> ConfigurationError:
    problem = (
        f"{model} plays {role} and has no price, so that a limit of money (limits.cost) cannot be held; prices are in "
        "US dollars per million tokens"
    )
    if model in _CONNECTED:
        step = f"limit calls, tokens or minutes instead, or let a model with a price play {role}"
        return ConfigurationError(problem, field=f"roles.{role}", next_step=step)
    where = f"[models.{model}]" if model in settings.models else f"a [models.NAME] table for {model}, named in [roles],"
    return ConfigurationError(
        problem,
        field=f"models.{model}.prices",
        next_step=f"write {_EXAMPLE} with the model's own numbers into {where}, or limit calls, tokens or minutes",
    )
