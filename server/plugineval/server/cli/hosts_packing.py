"""What others install PluginEval from: an `.mcpb` bundle, and a `server.json` for the MCP registry."""

import json
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.cli.files import refuse_existing, write_new
from plugineval.server.cli.hosts_changing import Outcome


def packed(output: Path | None) -> Outcome:
    """Write the bundle; `ConfigurationError` where no new file was named."""
    from plugineval.clients.hosts.bundle import bundle

    if output is None:
        raise ConfigurationError("which file?", field="--out", next_step="name a new one, such as plugineval.mcpb")
    refuse_existing(output)
    content = bundle()
    write_new(output, content)
    told = f"Wrote {output} ({len(content) // 1000:,} kB). Next: open it with Claude Desktop."
    return Outcome(found={"path": str(output), "bytes": len(content)}, told=(told,))


def registered(namespace: str | None, output: Path | None) -> Outcome:
    """The registry's description of this package, on stdout or in a new file."""
    from plugineval.clients.hosts.own_package import facts
    from plugineval.clients.hosts.registry import server_json

    document = server_json(facts(), namespace)
    text = json.dumps(document, indent=2) + "\n"
    step = f"Before you publish it: the README of the package that you uploaded has to say mcp-name: {document['name']}"
    if output is None:
        return Outcome(found=document, result=text.rstrip("\n"), told=(step,))
    refuse_existing(output)
    write_new(output, text)
    return Outcome(found=document, told=(f"Wrote {output}.", step))
