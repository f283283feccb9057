"""A person's own equality for a tool (B5): plain functions, registered in a file or by an installed package.

Imported by the person's file and by the process that runs it, so this module pulls in nothing of ours but the registry.
"""

from plugineval.clients.checks.registering import CheckedCase, Example, semantic_check

__all__ = ["CheckedCase", "Example", "semantic_check"]
