"""What users touch: the MCP app, the command line, jobs and the store; the only room that knows all others."""
