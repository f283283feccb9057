"""Which file plays a model, and which of the models in it: the file is a person's choice, an agent knows the id alone.

People write `recorded:FILE` or `recorded:FILE#MODEL`; records and reports say the name of the file and never its place.
"""

from pathlib import Path

from plugineval.pccf.values import Value

PREFIX = "recorded:"


class RecordedConfig(Value):
    """One recorded model. `id` is what command lines, records and reports say."""

    id: str
    path: Path
    model: str | None = None
    """Which of the models in the file; None: the only one."""


def recorded_id(name: str) -> str:
    """The id of a recorded model that is registered as `name`."""
    return PREFIX + name


def reference_of(written: str, folder: Path) -> RecordedConfig:
    """What `recorded:FILE` or `recorded:FILE#MODEL` names; a relative file is relative to `folder`."""
    file, model = _split(written.removeprefix(PREFIX), folder)
    chosen = f"#{model}" if model else ""
    return RecordedConfig(id=recorded_id(Path(file).stem + chosen), path=(folder / file).absolute(), model=model)


def _split(place: str, folder: Path) -> tuple[str, str | None]:
    """File and model; a file may have a `#` in its name, and then the whole is one."""
    file, _, model = place.partition("#")
    if not model or (folder / place).is_file():
        return place, None
    return file, model
