"""The command line. `main` is the console script; commands are imported when they are called."""


def main() -> None:
    """Run the `plugineval` command."""
    from plugineval.server.cli.app import app

    app()
