"""Plugins under test: registration, warm sessions, execution policy. A plugin is untrusted."""
