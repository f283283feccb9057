"""Options that belong together, declared once and handed to a command as one value.

A command takes the group as one keyword argument; its command line has the options of the group in its place.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.harness.policies import ExtraCalls
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.values import Value
from plugineval.server.catalogs.given import GivenCatalog
from plugineval.server.catalogs.reading import read_catalog
from plugineval.server.jobs.limiting import LimitWishes
from plugineval.server.jobs.params import GradingWishes, RunWishes
from plugineval.server.jobs.variants import read_variants
from plugineval.server.settings.run_defaults import MOST_REPEATS

if TYPE_CHECKING:
    from plugineval.clients.traffic.query_file import QueryFile

NoPreflight = Annotated[
    bool | None, typer.Option("--no-preflight", help="Do not ask every model one question before the work.")
]


@dataclass(frozen=True, kw_only=True)
class OptionGroup:
    """`make` turns the given options into the argument `name`."""

    name: str
    options: Mapping[str, object]
    """Name of an option -> its annotation; each is None where it is not given."""
    make: Callable[..., object]

    def __call__(self, command: Callable[..., None]) -> Callable[..., None]:
        """The command with the group's options on its command line."""
        signature = inspect.signature(command)
        own = [parameter for parameter in signature.parameters.values() if parameter.name != self.name]
        given = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)
            for name, annotation in self.options.items()
        ]

        @wraps(command)
        def called(**arguments: object) -> None:
            said = {name: arguments.pop(name) for name in self.options}
            command(**arguments, **{self.name: self.make(**said)})

        parameters = [*own, *given]
        called.__dict__["__signature__"] = signature.replace(parameters=parameters)
        called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return called


def _grading(judge: str | None, check: list[Path] | None, extra_calls: ExtraCalls | None) -> GradingWishes:
    return GradingWishes(judge=judge, checks=tuple(check or ()), extra_calls=extra_calls)


with_grading_options = OptionGroup(
    name="grading",
    make=_grading,
    options={
        "judge": Annotated[
            str | None,
            typer.Option(help="A model id that settles what rules leave open, or none; else the role judge."),
        ],
        "check": Annotated[list[Path] | None, typer.Option(help="A .py file of semantic checks; may be repeated.")],
        "extra_calls": Annotated[ExtraCalls | None, typer.Option(help="What a call beyond gold does to a positive.")],
    },
)
"""`--judge`, `--check` and `--extra-calls`, as the argument `grading`."""


class AskingOptions(Value):
    """How a judge is reached that a command names."""

    base_url: str | None = None
    no_preflight: bool | None = None


with_asking_options = OptionGroup(
    name="asking",
    make=AskingOptions,
    options={
        "base_url": Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of an unregistered judge.")],
        "no_preflight": NoPreflight,
    },
)
"""`--base-url` and `--no-preflight`, as the argument `asking`."""


class RunOptions(Value):
    """The options of a run as they were written."""

    models: tuple[str, ...] = ()
    base_url: str | None = None
    repeats: int | None = None
    concurrency: int | None = None
    variants: tuple[str, ...] = ()
    no_preflight: bool | None = None

    def wishes(self, grading: GradingWishes) -> RunWishes:
        """What was said, with the variants read from their files; `ConfigurationError` where that is not possible."""
        variants = read_variants(self.variants)
        return RunWishes(
            models=self.models,
            repeats=self.repeats,
            concurrency=self.concurrency,
            base_url=self.base_url,
            variants=variants,
            grading=grading,
            preflight=not self.no_preflight,
        )


def _running(model: list[str] | None, variant: list[str] | None, **said: object) -> RunOptions:
    return RunOptions.model_validate({"models": tuple(model or ()), "variants": tuple(variant or ()), **said})


with_run_options = OptionGroup(
    name="running",
    make=_running,
    options={
        "model": Annotated[list[str] | None, typer.Option(help="A model id; may be repeated.")],
        "base_url": Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of models not registered.")],
        "repeats": Annotated[int | None, typer.Option(min=1, max=MOST_REPEATS, help="Times each case is asked.")],
        "concurrency": Annotated[int | None, typer.Option(min=1, help="Calls in flight at most.")],
        "variant": Annotated[
            list[str] | None,
            typer.Option(metavar="NAME=FILE", help="New tool descriptions (TOML or JSON), measured beside the others."),
        ],
        "no_preflight": NoPreflight,
    },
)
"""What a run is made of, as the argument `running`."""


class BeforeOptions(Value):
    """What a build does before it costs anything."""

    estimate: bool | None = None
    no_preflight: bool | None = None


with_before_options = OptionGroup(
    name="before",
    make=BeforeOptions,
    options={
        "estimate": Annotated[
            bool | None, typer.Option("--estimate", help="Say what it will take, and ask no model anything.")
        ],
        "no_preflight": NoPreflight,
    },
)
"""`--estimate` and `--no-preflight`, as the argument `before`."""


class WantedOptions(Value):
    """What is to be built, as it was written on a command line; None comes from the settings."""

    size: int | None = None
    seed: int | None = None
    scenarios: Path | None = None
    queries: Path | None = None

    def over(self, config: BuildConfig) -> BuildConfig:
        """`config` with what was said in place of its own."""
        said = {"size": self.size, "seed": self.seed}
        return config.model_copy(update={name: value for name, value in said.items() if value is not None})

    @property
    def catalog(self) -> GivenCatalog | None:
        """The catalog of the file that was named; `ConfigurationError` with all its mistakes."""
        return None if self.scenarios is None else read_catalog(self.scenarios)

    @property
    def seeds(self) -> "QueryFile | None":
        """The masked real queries of the file that was named."""
        from plugineval.clients.traffic.query_file import read_queries

        return None if self.queries is None else read_queries(self.queries)


with_wanted_options = OptionGroup(
    name="wanted",
    make=WantedOptions,
    options={
        "size": Annotated[int | None, typer.Option(min=1, help="Examples wanted; else size of the settings, else 24.")],
        "seed": Annotated[int | None, typer.Option(help="Seed of all that is drawn; else that of the settings.")],
        "scenarios": Annotated[
            Path | None,
            typer.Option(metavar="FILE", help="A catalog of `plugineval scenarios`; else scenarios are derived."),
        ],
        "queries": Annotated[
            Path | None,
            typer.Option(metavar="FILE", help="Real queries (text, JSONL, chat or trace logs); `queries` shows them."),
        ],
    },
)
"""`--size`, `--seed`, `--scenarios` and `--queries`, as the argument `wanted`."""


class LimitOptions(LimitWishes):
    """Hard limits as they were written on a command line."""


with_limit_options = OptionGroup(
    name="limits",
    make=LimitOptions,
    options={
        "max_calls": Annotated[int | None, typer.Option(help="Calls of models and plugins at most; then it stops.")],
        "max_tokens": Annotated[int | None, typer.Option(help="Input and output tokens at most.")],
        "max_cost": Annotated[float | None, typer.Option(help="US dollars at most; every model needs `prices`.")],
        "max_minutes": Annotated[float | None, typer.Option(help="Minutes of work at most, over all restarts.")],
    },
)
"""`--max-calls`, `--max-tokens`, `--max-cost` and `--max-minutes`, as the argument `limits`."""
