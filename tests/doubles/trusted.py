"""A settings file in a working directory whose owner trusts it."""

from pathlib import Path

from plugineval.server.trust.settings_files import TrustedFiles


def trusted_settings(folder: Path, text: str, *, home: Path) -> Path:
    """Write `text` to `folder/plugineval.toml` and trust it in `home`."""
    path = folder / "plugineval.toml"
    path.write_text(text)
    TrustedFiles(home).record(path, text)
    return path
