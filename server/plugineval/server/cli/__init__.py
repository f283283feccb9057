"""The command line. `main` is the console script."""

import sys


def main() -> None:
    """Run the `plugineval` command."""
    from plugineval.server.cli.app import create_app

    app = create_app(sys.argv[1] if len(sys.argv) > 1 else None)
    if "--json" in sys.argv:
        from plugineval.server.cli.scripting import run_for_scripts

        run_for_scripts(app)
    app()
