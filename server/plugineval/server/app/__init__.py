"""The MCP app: tools, resources and prompts over stdio and streamable HTTP."""
