"""The command line. `main` is the console script."""

import sys


def main() -> None:
    """Run the `plugineval` command."""
    from plugineval.server.cli.app import create_app

    create_app(sys.argv[1] if len(sys.argv) > 1 else None)()
