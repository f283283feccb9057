"""Who measures a run, and what all of them together may take for it: options of `evaluate` and `rerun`."""

from collections.abc import Iterable
from typing import Annotated

import typer

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.cli.option_groups import LimitOptions, OptionGroup
from plugineval.server.settings.settings import Settings
from plugineval.server.sharing.budgeted import COUNTED
from plugineval.server.workers.queue import require_server


class Spread(Value):
    """As it was said on the command line."""

    workers: bool = False
    """Whether the run goes to the workers of the database."""
    limits: LimitOptions = LimitOptions()


def _spread(workers: bool | None, **limits: float | None) -> Spread:
    return Spread(workers=bool(workers), limits=LimitOptions.model_validate(limits))


def on_workers(settings: Settings) -> Settings:
    """The settings of a run that goes to workers; `ConfigurationError` where there can be none."""
    require_server(settings.database)
    return settings.model_copy(update={"run": settings.run.model_copy(update={"engine": "workers"})})


def refuse_agents(players: Iterable[str]) -> None:
    """`ConfigurationError` for a model that no worker asks."""
    if agents := [model for model in players if model in WORK_MODELS]:
        raise ConfigurationError(
            f"{agents[0]} answers through the database, from wherever an agent is: a worker would only wait for it",
            field="--workers",
            next_step="leave out --workers",
        )


with_spread_options = OptionGroup(
    name="spread",
    make=_spread,
    options={
        "workers": Annotated[
            bool | None,
            typer.Option(
                "--workers",
                help="Let every `plugineval worker` of the database measure it, and follow them; else [run] engine. "
                "Ctrl-C stops the run for all of them, `resume` goes on.",
            ),
        ],
        "max_calls": Annotated[int | None, typer.Option(help=f"Calls at most, {COUNTED}.")],
        "max_tokens": Annotated[int | None, typer.Option(help="Input and output tokens of these at most.")],
        "max_cost": Annotated[
            float | None, typer.Option(help="US dollars of these at most; every one of the models needs `prices`.")
        ],
        "max_minutes": Annotated[float | None, typer.Option(help="Minutes of work at most, over all restarts.")],
    },
)
"""`--workers` and the hard limits, as the argument `spread`."""
