"""The command line. `main` is the console script."""

import io
import sys


def main() -> None:
    """Run the `plugineval` command."""
    from plugineval.server.cli.app import create_app

    for stream in (sys.stdout, sys.stderr):
        # A pipe or a console that knows fewer characters gets escapes for the others, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app = create_app(sys.argv[1] if len(sys.argv) > 1 else None)
    if "--json" in sys.argv:
        from plugineval.server.cli.scripting import run_for_scripts

        run_for_scripts(app)
    app()
