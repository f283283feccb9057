"""Options that several commands share, declared once and handed over as one value."""

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated

import typer

from plugineval.pccf.values import Value
from plugineval.server.cli.program import command_line

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", help="Folder of the database and all else; else PLUGINEVAL_HOME.", file_okay=False),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config", help="The plugineval.toml to read; else PLUGINEVAL_CONFIG, ./ or the home.", dir_okay=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object for scripts.")]


class SharedOptions(Value):
    """`--config`, `--home` and `--json` of one command line."""

    config: Path | None = None
    home: Path | None = None
    as_json: bool = False

    def command(self, *words: str) -> str:
        """A `plugineval` command line that works on the same files, to be offered as the next step."""
        places = {"--config": self.config, "--home": self.home}
        options = [word for name, path in places.items() if path is not None for word in (name, str(path))]
        return command_line(*words, *options)


_SHARED = (
    inspect.Parameter("config", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=ConfigOption),
    inspect.Parameter("home", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=HomeOption),
    inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=JsonOption),
)


def with_shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes the shared options on its command line and gets them as its argument `shared`."""
    signature = inspect.signature(command)
    own = [parameter for parameter in signature.parameters.values() if parameter.name != "shared"]

    @wraps(command)
    def called(config: Path | None, home: Path | None, as_json: bool, **arguments: object) -> None:
        command(**arguments, shared=SharedOptions(config=config, home=home, as_json=as_json))

    parameters = [*own, *_SHARED]
    called.__dict__["__signature__"] = signature.replace(parameters=parameters)
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return called
