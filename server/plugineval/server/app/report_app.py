"""The report as an MCP App: hosts that show pages show it beside what `report_get` answers.

The page is a frame without content; it reads the page of the report, which is the file of `report --html`, through its
host. It asks for nothing from anywhere else.
"""

import importlib.resources

from mcp.server.apps import Apps

from plugineval.harness.rendering.page_style import page_style

URI = "ui://plugineval/report.html"
META = {"ui": {"resourceUri": URI}}
"""Of the tool whose answers it shows."""


def report_app() -> Apps:
    """The extension with this one page."""
    apps = Apps()
    apps.add_html_resource(URI, _html(), name="report_app", title="PluginEval report", prefers_border=True)
    return apps


def _html() -> str:
    script = importlib.resources.files("plugineval.server.app").joinpath("report_app.js").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>PluginEval report</title>\n'
        f"<style>\n{page_style()}</style>\n</head>\n<body><main><p>Waiting for a report…</p></main>\n"
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )
