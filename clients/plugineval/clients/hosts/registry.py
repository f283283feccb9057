"""PluginEval as a `server.json` of the MCP registry (schema of 2025-12-11), from the facts of the package.

The name belongs to whoever publishes: nothing is made up here, and the README claims no name that nobody owns.
"""

import re

from plugineval.clients.hosts.own_package import PACKAGE, Facts
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
LONGEST_DESCRIPTION = 100
_NAMESPACE = re.compile(r"[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)+")
_EXAMPLE = "--namespace io.github.USER"


def server_json(about: Facts, namespace: str | None) -> dict[str, Json]:
    """The document; `ConfigurationError` where `namespace` is not the reverse of a domain."""
    if namespace is None or not _NAMESPACE.fullmatch(namespace):
        problem = "which namespace is yours?" if namespace is None else f"{namespace!r} is no domain in reverse order"
        raise ConfigurationError(problem, field="--namespace", next_step=f"give it as {_EXAMPLE}")
    return {
        "$schema": SCHEMA,
        "name": f"{namespace}/{PACKAGE}",
        "title": "PluginEval",
        "description": about.description[:LONGEST_DESCRIPTION],
        "version": about.version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": PACKAGE,
                "version": about.version,
                "runtimeHint": "uvx",
                "transport": {"type": "stdio"},
                "packageArguments": [{"type": "positional", "value": "serve"}],
                "environmentVariables": [
                    _variable("PLUGINEVAL_HOME", "Folder of the database; the user data folder if it is not set"),
                    _variable("PLUGINEVAL_CONFIG", "The plugineval.toml to read; the one in the home if it is not set"),
                ],
            }
        ],
    }


def _variable(name: str, description: str) -> dict[str, Json]:
    return {"name": name, "description": description, "format": "filepath", "isRequired": False}
