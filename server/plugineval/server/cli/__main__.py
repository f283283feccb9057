"""`python -m plugineval.server.cli`: the command line where there is no console script."""

from plugineval.server.cli import main

if __name__ == "__main__":
    main()
