"""`plugineval trust`: look at what a settings file would run, and let it be used from now on."""

import os
from pathlib import Path
from typing import Annotated

import typer

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.cli.consent import agreed
from plugineval.server.cli.exit_codes import ExitCode, reported
from plugineval.server.cli.options import HomeOption, JsonOption
from plugineval.server.cli.terminal import echo_json, err, say_line
from plugineval.server.settings.inventory import Use, uses_of
from plugineval.server.settings.locations import FILE_NAME, find_home
from plugineval.server.settings.source import SettingsSource, parsed_source, text_of
from plugineval.server.trust.settings_files import Trust, TrustedFiles


def trust_command(
    path: Annotated[Path | None, typer.Argument(help="A plugineval.toml, or its folder; ./ by default.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Trust it without a question.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust it no longer.")] = False,
    home: HomeOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show what a plugineval.toml would start, reach and take, and trust it as long as it stays as it is."""
    with reported(err(), as_json=json_output):
        file = _file(path)
        trusted = TrustedFiles(find_home(home=home, environ=os.environ, cwd=Path.cwd()))
        if revoke:
            was = trusted.revoke(file)
            _tell(
                file,
                (),
                trusted_now=False,
                said="is trusted no longer" if was else "was not trusted",
                as_json=json_output,
            )
            return
        source = parsed_source(file, text_of(file))
        uses = uses_of(source)
        _show(source, uses)
        if trusted.of(file, source.text) is Trust.TRUSTED:
            _tell(file, uses, trusted_now=True, said="is trusted already, as it is", as_json=json_output)
            return
        sure = agreed(f"Use {file} from now on?", yes=yes)
        if sure:
            trusted.record(file, source.text)
        said = "is trusted as long as it stays as it is" if sure else "is left alone"
        _tell(file, uses, trusted_now=sure, said=said, as_json=json_output)
        raise typer.Exit(ExitCode.OK if sure else ExitCode.CHECK_FAILED)


def _file(path: Path | None) -> Path:
    found = (Path.cwd() / (path or FILE_NAME)).expanduser()
    found = found / FILE_NAME if found.is_dir() else found
    if not found.is_file():
        step = "name the file, or run `plugineval init` to write one"
        raise ConfigurationError("there is no such file", field=str(found), next_step=step)
    return found


def _show(source: SettingsSource, uses: tuple[Use, ...]) -> None:
    say_line(f"{source.path}:")
    for use in uses:
        say_line(f"  {use.line}")
    if not uses:
        say_line("  starts nothing, reaches nothing and takes nothing")


def _tell(file: Path, uses: tuple[Use, ...], *, trusted_now: bool, said: str, as_json: bool) -> None:
    if as_json:
        shown: list[Json] = [use.model_dump(mode="json") for use in uses]
        echo_json({"path": str(file), "trusted": trusted_now, "uses": shown})
    else:
        say_line(f"{file} {said}.")
