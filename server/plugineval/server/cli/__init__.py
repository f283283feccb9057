"""The command line. `main` is the console script."""

import gc
import io
import os
import sys

PLACES = ("--home", "--config")
COLLECT_AFTER = 50_000
"""Objects made and kept before the garbage collector looks for cycles: modules that are being imported make none, and
looking for them every 700 objects would cost a fifth of a start."""


def main() -> None:
    """Run the `plugineval` command."""
    gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])
    sys.argv[1:] = places_last(sys.argv[1:])
    _mend_surroundings()
    if sys.argv[1:2] == ["serve"]:
        # All of what is made until a server can answer lasts; from then on it looks for cycles as anybody does.
        gc.disable()
        # The protocol has streams of its own; only what people read is made printable.
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        _run()
    else:
        _run_guarded()


def _mend_surroundings() -> None:
    """What a shell, a scheduler or a container may have taken away: streams that are closed, and any width at all."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for name in ("COLUMNS", "LINES"):
        # In a terminal of no columns nothing would be printed, and nothing be said of it.
        if os.environ.get(name, "").isdigit() and not int(os.environ[name]):
            del os.environ[name]


def places_last(words: list[str]) -> list[str]:
    """`--home DIR demo` as `demo --home DIR`: every command takes them, and people write them first."""
    places: list[str] = []
    while words and words[0].split("=", 1)[0] in PLACES:
        length = 1 if "=" in words[0] else 2
        places, words = places + words[:length], words[length:]
    return words[:1] + places + words[1:]


def _run() -> None:
    from plugineval.server.cli.app import create_app

    app = create_app(sys.argv[1] if len(sys.argv) > 1 else None)
    if "--json" in sys.argv:
        from plugineval.server.cli.scripting import run_for_scripts

        run_for_scripts(app)
    app()


def _run_guarded() -> None:
    from plugineval.server.cli.outlet import guarded

    before = sys.stdout, sys.stderr
    sys.stdout, out = guarded(sys.stdout)
    sys.stderr, _ = guarded(sys.stderr)
    try:
        try:
            _run()
        finally:
            sys.stdout.flush()
            if out is not None and out.problem is not None:
                sys.stderr.write(
                    f"The output cannot be written: {out.problem}. Next: free some space, or name another file.\n"
                )
                sys.exit(2)
    finally:
        sys.stderr.flush()
        sys.stdout, sys.stderr = before
