"""What the makers of hosts and of the MCP registry publish about the files that we write, in our own words.

No package ships these schemas (that of bundles is shipped: see `test_bundle_packing.py`), so that their rules are
written down here: those of VS Code's mcp.json, of an entry in Claude Code's schema of plugins, and of the registry's
schema of 2025-12-11.
"""

from typing import Any

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
VSCODE: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "inputs": {"type": "array"},
        "servers": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "type": {"const": "stdio"},
                    "command": TEXT,
                    "cwd": TEXT,
                    "args": TEXTS,
                    "envFile": TEXT,
                    "env": {"additionalProperties": {"type": ["null", "string", "number"]}},
                    "dev": {"type": "object"},
                },
            },
        },
    },
}
STDIO_ENTRY: dict[str, Any] = {
    "type": "object",
    "required": ["command"],
    "properties": {
        "type": {"const": "stdio"},
        "command": {"type": "string", "minLength": 1},
        "args": TEXTS,
        "env": {"type": "object", "additionalProperties": TEXT},
    },
}
MCP_SERVERS: dict[str, Any] = {
    "type": "object",
    "required": ["mcpServers"],
    "properties": {"mcpServers": {"type": "object", "additionalProperties": STDIO_ENTRY}},
}
"""Claude Code, and the same shape in Claude Desktop and Cursor, which publish examples alone."""
_INPUT = {
    "description": TEXT,
    "value": TEXT,
    "default": TEXT,
    "format": {"enum": ["string", "number", "boolean", "filepath"]},
    "isRequired": {"type": "boolean"},
    "isSecret": {"type": "boolean"},
}
SERVER_JSON: dict[str, Any] = {
    "type": "object",
    "required": ["name", "description", "version"],
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {
            "type": "string",
            "minLength": 3,
            "maxLength": 200,
            "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
        },
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255, "not": {"const": "latest"}},
        "packages": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "transport"],
                "properties": {
                    "registryType": {"enum": ["npm", "pypi", "oci", "nuget", "mcpb"]},
                    "identifier": TEXT,
                    "version": {"type": "string", "minLength": 1, "not": {"const": "latest"}},
                    "runtimeHint": TEXT,
                    "transport": {
                        "type": "object",
                        "required": ["type"],
                        "properties": {"type": {"const": "stdio"}},
                    },
                    "packageArguments": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["type", "value"],
                            "properties": {**_INPUT, "type": {"const": "positional"}},
                        },
                    },
                    "environmentVariables": {
                        "type": "array",
                        "items": {"type": "object", "required": ["name"], "properties": {**_INPUT, "name": TEXT}},
                    },
                },
            },
        },
    },
}
