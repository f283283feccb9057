"""Configurations of MCP hosts (.mcp.json, desktop files), read to register plugins."""
