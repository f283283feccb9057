"""Chat templates that say how tools are offered, for GGUF files whose own template drops them silently."""

from importlib.resources import files
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.nearest import meant

TEMPLATES = ("hermes",)


def template_of(named: str) -> str:
    """The template of a name of ours, or of a file; `ConfigurationError` where it is neither."""
    if named in TEMPLATES:
        return (files(__package__ or "") / f"{named}.jinja").read_text(encoding="utf-8")
    path = Path(named)
    if not path.is_file():
        raise ConfigurationError(
            f"there is no chat template {named!r}{meant(named, TEMPLATES)}",
            field="--template",
            allowed=TEMPLATES,
            next_step="name one of these, or a .jinja file",
        )
    return path.read_text(encoding="utf-8")
