"""The report as a page: everything that came from elsewhere is text, and nothing is fetched."""

from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from doubles.cli import addition, cases_file, plugineval
from plugineval.harness.rendering.page import POLICY, render_page
from plugineval.harness.report import Report
from server.cli.test_cli_report import report_of

EVIL = '<img src=x onerror=alert(1)>"><script>alert(1)</script>\x1b[31m\u202e&amp;'
FETCHING = {"src", "href", "action", "srcset", "data", "formaction", "background", "poster", "xlink:href"}


class Page(HTMLParser):
    """What a browser would make of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def evil_report() -> Report:
    report = report_of(EVIL, "openai:good")
    scope = report.run.scope.model_copy(update={"benchmark": EVIL})
    return report.model_copy(update={"run": report.run.model_copy(update={"scope": scope})})


def test_foreign_words_are_text_and_nothing_is_fetched_or_run() -> None:
    text = render_page(evil_report())
    page = Page(text)
    assert not {"script", "img", "iframe", "object", "link", "form", "base"} & set(page.tags)
    assert not {name for name, _ in page.attributes if name in FETCHING or name.startswith("on")}
    assert "<img src=x onerror=alert(1)>" in page.words
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert POLICY in text
    assert "url(" not in text


def test_the_page_says_scope_and_expiry_first_and_everything_that_the_markdown_says() -> None:
    report = report_of("openai:good", "openai:other")
    words = Page(render_page(report)).words.split()
    assert words[words.index("Scope:") - 1] != "EXPIRED"
    late = Page(render_page(report, now=datetime.now(UTC) + timedelta(days=4_000)))
    assert "EXPIRED on" in late.words
    assert ("class", "scope expired") in late.attributes
    said = Page(render_page(report)).words
    for heading in ("Models", "Six outcomes", "Where the numbers come from", "How to read this"):
        assert heading in said
    for model in report.models:
        assert model.id in said


@pytest.mark.requirement("B18")
def test_a_person_writes_the_page_to_a_new_file(tmp_path: Path) -> None:
    home = ("--home", tmp_path / "home")
    measured = plugineval("evaluate", cases_file(tmp_path, [addition("c", 1)]), "--model", "baseline:lexical", *home)
    assert measured.code == 0, measured.err
    page = tmp_path / "report.html"
    assert plugineval("report", "--html", page, *home).out.strip() == f"Written to {page}"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    again = plugineval("report", "--html", page, *home)
    assert again.code == 2
    assert "there is such a file" in again.err
