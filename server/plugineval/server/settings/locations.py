"""Where PluginEval keeps its things, and which `plugineval.toml` counts: the first of `--config`,
`PLUGINEVAL_CONFIG`, the working directory's, the home's. A file that was named has to exist; the others may.
"""

from collections.abc import Mapping
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError

FILE_NAME = "plugineval.toml"
HOME_VARIABLE = "PLUGINEVAL_HOME"
CONFIG_VARIABLE = "PLUGINEVAL_CONFIG"


def find_home(*, home: Path | None, environ: Mapping[str, str], cwd: Path) -> Path:
    """`home`, else `PLUGINEVAL_HOME`, else the platform's folder for user data; absolute, not created."""
    named = home or environ.get(HOME_VARIABLE)
    if named:
        return cwd / Path(named).expanduser()
    return _usual()


def _usual() -> Path:
    from platformdirs import user_data_path

    return user_data_path("plugineval", appauthor=False)


def is_usual(home: Path) -> bool:
    """Whether commands work in `home` where none is named."""
    return home == _usual()


def candidates(*, home: Path, cwd: Path) -> tuple[Path, ...]:
    """Where a file is looked for when none is named, in order."""
    return cwd / FILE_NAME, home / FILE_NAME


def looked_at(*, home: Path, environ: Mapping[str, str], cwd: Path) -> tuple[str, ...]:
    """The places in which a settings file is looked for, in order, in words."""
    here, there = candidates(home=home, cwd=cwd)
    named = environ.get(CONFIG_VARIABLE) or "not set"
    return tuple(dict.fromkeys(("--config", f"{CONFIG_VARIABLE} ({named})", str(here), str(there))))


def find_config(*, config: Path | None, home: Path, environ: Mapping[str, str], cwd: Path) -> Path | None:
    """The settings file that counts, or None; `ConfigurationError` where a named one is not there."""
    for said_by, named in (("--config", config), (CONFIG_VARIABLE, environ.get(CONFIG_VARIABLE))):
        if named:
            return _existing(cwd / Path(named).expanduser(), said_by)
    try:
        return next((path for path in candidates(home=home, cwd=cwd) if path.exists()), None)
    except PermissionError as error:
        raise ConfigurationError(
            f"{error.filename} cannot be looked at: permission denied",
            field="home",
            next_step=f"give a folder of your own with --home or {HOME_VARIABLE}",
        ) from error


def lies_about(path: Path, *, config: Path | None, home: Path, environ: Mapping[str, str], cwd: Path) -> bool:
    """Whether `path` counts only because it lies in `cwd`: nobody named it, and it is not the home's."""
    if config or environ.get(CONFIG_VARIABLE):
        return False
    return path == cwd / FILE_NAME and cwd.resolve() != home.resolve()


def _existing(path: Path, said_by: str) -> Path:
    if path.exists():
        return path
    step = "correct the path, or run `plugineval init` to write a settings file"
    raise ConfigurationError(f"{path} does not exist", field=said_by, next_step=step)
