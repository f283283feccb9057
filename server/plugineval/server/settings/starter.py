"""The text of a new `plugineval.toml`: the given plugins, and enough comments to go on without a manual.

Names and notes come from files of others: they are written as TOML strings or as one-line comments, never as TOML.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import tomlkit
from pydantic import SecretStr
from tomlkit.items import Table

from plugineval.clients.plugins.registration import PluginRegistration

_HEAD = (
    "PluginEval settings. An agent can use the plugins below by name and can add none.",
    'Any text may take a value from the environment: "${NAME}" or "${NAME:-otherwise}".',
    "policy: which tools may be executed while a benchmark is built.",
    "  read_only  those that are known to change nothing (the default)",
    "  sandboxed  all: you declare that the server and its data are a throw-away copy",
    "  ask        each tool once a person has confirmed it for the job that wants it",
    "  never      none",
    'One tool may differ: tools = { create_note = "never" }.',
    "A file in a working directory counts only as it was when you trusted it: after an edit, run `plugineval trust`.",
)
_EXAMPLES = """
# [plugins.math]
# command = "mcp-mathematics"
# args = []
#
# [plugins.notes]
# url = "https://notes.example/mcp"
# headers = { Authorization = "Bearer ${NOTES_TOKEN}" }
"""
_MODELS = """
# A model is any OpenAI-compatible endpoint. Its key stays in the environment; here is only the variable's name.
# [models.fast]
# base_url = "https://models.example/v1"
# model = "my-model"
# api_key_env = "MY_KEY"
# prices = { input_per_million = 0.15, output_per_million = 0.60 }  # US dollars; without them costs are unknown

# Who builds and judges. The embedded baseline:lexical plays every role that is not given to a model: it needs no
# key, and it is a floor, not an LLM. Generator and evaluator should be different models.
# [roles]
# writer = "fast"
# generators = ["fast", "baseline:lexical"]
# argument_evaluator = "baseline:lexical"
# result_evaluator = "baseline:lexical"
# annotators = ["baseline:lexical"]
# depth = "baseline:lexical"
# router = "fast"
# judge = "baseline:lexical"
"""


class StarterPlugin(NamedTuple):
    """A plugin to be written, with remarks that become comments above it."""

    registration: PluginRegistration
    remarks: tuple[str, ...] = ()


def starter_text(plugins: Sequence[StarterPlugin]) -> str:
    """A settings file that registers `plugins`; commented examples where there are none."""
    document = tomlkit.document()
    _comment(document, _HEAD)
    document.add(tomlkit.nl())
    if plugins:
        parent = tomlkit.table(is_super_table=True)
        for plugin in plugins:
            parent.append(plugin.registration.name, _table(plugin))
        document.append("plugins", parent)
    return tomlkit.dumps(document) + ("" if plugins else _EXAMPLES.lstrip("\n")) + _MODELS


def _table(plugin: StarterPlugin) -> Table:
    registration = plugin.registration
    table = tomlkit.table()
    for remark in plugin.remarks:
        table.add(tomlkit.comment(_one_line(remark)))
    if registration.command is not None:
        table.append("command", registration.command)
    if registration.args:
        table.append("args", list(registration.args))
    if registration.cwd is not None:
        table.append("cwd", str(registration.cwd))
    if registration.url is not None:
        table.append("url", registration.url)
    table.append("policy", registration.policy.value)
    for field, values in (("env", registration.env), ("headers", registration.headers)):
        if values:
            table.append(field, _secrets(values))
    table.add(tomlkit.nl())
    return table


def _secrets(values: dict[str, SecretStr]) -> Table:
    """Registrations of an import hold references here, not secrets."""
    table = tomlkit.table()
    for name, value in values.items():
        table.append(name, value.get_secret_value())
    return table


def _comment(document: tomlkit.TOMLDocument, lines: Iterable[str]) -> None:
    for line in lines:
        document.add(tomlkit.comment(line))


def _one_line(text: str) -> str:
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
