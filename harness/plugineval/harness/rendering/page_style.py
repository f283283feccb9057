"""The style of our pages, which stands in each of them; whoever only needs it loads no report."""

import importlib.resources


def page_style() -> str:
    """CSS for light and dark, for screens and print."""
    return importlib.resources.files("plugineval.harness.rendering").joinpath("page.css").read_text(encoding="utf-8")
