"""`plugineval serve-model`: a model on this machine, behind an OpenAI-compatible server on loopback."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.terminal import err

if TYPE_CHECKING:
    from plugineval.clients.local.served import Served

NEEDLE_PORT = 18150
GGUF_PORT = 18151


class LocalModel(StrEnum):
    """What can be served."""

    NEEDLE = "needle"
    GGUF = "gguf"


def serve_model_command(
    which: Annotated[LocalModel, typer.Argument(help="needle: a small model that calls tools. gguf: a file of yours.")],
    path: Annotated[Path | None, typer.Argument(help="The .gguf file.", dir_okay=False)] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = None,
    template: Annotated[
        str | None, typer.Option(help="gguf: hermes, or a .jinja file, in place of the file's own chat template.")
    ] = None,
) -> None:
    """Serve a local model until Ctrl-C, and print the [models.NAME] table to paste. Nothing is ever downloaded."""
    from plugineval.clients.local.gguf import serve_gguf
    from plugineval.clients.local.serving import serve_needle
    from plugineval.clients.local.templates import template_of
    from plugineval.pccf.errors import ConfigurationError

    with reported(err()):
        _check(which, path, template)
        if which is LocalModel.NEEDLE:
            serve_needle(NEEDLE_PORT if port is None else port, _ready)
        elif path is None:
            raise ConfigurationError(
                "gguf needs a file", field="PATH", next_step="plugineval serve-model gguf FILE.gguf"
            )
        else:
            chosen = None if template is None else template_of(template)
            serve_gguf(path, GGUF_PORT if port is None else port, chosen, _ready)


def _check(which: LocalModel, path: Path | None, template: str | None) -> None:
    from plugineval.pccf.errors import ConfigurationError

    if which is LocalModel.NEEDLE and (path is not None or template is not None):
        raise ConfigurationError(
            "needle comes with its own weights", field="serve-model needle", next_step="give no PATH and no --template"
        )


def _ready(served: "Served") -> None:
    typer.echo(served.table)
    err().print(f"{served.model} answers at {served.base_url} until Ctrl-C", markup=False, soft_wrap=True)
