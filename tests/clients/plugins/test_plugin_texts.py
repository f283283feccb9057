"""Small pure parts: marks of an error in disguise, redaction, last words, lines of a stream."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from plugineval.clients.plugins.disguises import marks
from plugineval.clients.plugins.last_words import LARGEST_FILE, LINES_KEPT, LastWords
from plugineval.clients.plugins.redaction import MASK, Redactor
from plugineval.clients.plugins.wire import LineSplitter
from plugineval.pccf.values import Json


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ("Error: Paper not found", None),
        ("❌ failed to connect", None),
        ("Traceback (most recent call last):\n  File", None),
        ("ValueError: bad city", None),
        ('{"status": "error", "message": "x"}', None),
        ('{"success": false}', None),
        ('{"error": {"code": 404}}', None),
        ("fine", {"isError": True}),
        ("fine", {"result": {"ok": False}}),
        ("fine", {"result": "Error: nothing"}),
    ],
)
def test_an_error_in_disguise_is_marked(text: str, structured: Json) -> None:
    assert marks(text, structured)


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ("The error rate is 3 %", None),
        ('{"error": null, "value": 1}', None),
        ('{"status": "ok", "success": true}', None),
        ("Errors are listed below", None),
        ("7", {"result": 7}),
        ("{not json", None),
    ],
)
def test_a_plain_result_bears_no_mark(text: str, structured: Json) -> None:
    assert marks(text, structured) == ()


@pytest.mark.parametrize(
    "leak",
    ['k"ey-7/ä', 'k\\"ey-7/ä', 'k\\"ey-7/\\u00e4', "k%22ey-7%2F%C3%A4", "ayJleS03L8Ok"],
)
def test_a_secret_is_struck_out_in_every_spelling(leak: str) -> None:
    redactor = Redactor([SecretStr('k"ey-7/ä')])
    assert redactor.text(f"a {leak} b") == f"a {MASK} b"
    assert redactor.json({leak: [leak, 1, None]}) == {MASK: [MASK, 1, None]}


def test_the_token_of_a_header_is_a_secret_of_its_own() -> None:
    assert Redactor([SecretStr("Bearer abc-123-def")]).text("got abc-123-def") == f"got {MASK}"


def test_each_line_of_a_key_file_is_a_secret_of_its_own() -> None:
    key = "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG\n-----END-----"
    assert Redactor([SecretStr(key)]).text("saw MIIEvQIBADANBgkqhkiG") == f"saw {MASK}"


def test_a_value_too_short_to_be_a_secret_falsifies_no_result() -> None:
    assert Redactor([SecretStr("1"), SecretStr("")]).text("11 apples") == "11 apples"


def test_last_words_are_few_lines_without_secrets(tmp_path: Path) -> None:
    words = LastWords(tmp_path / "log", Redactor([SecretStr("hunter22")]))
    for number in range(40):
        words.feed(f"line {number} hun".encode())
        words.feed(b"ter22\n")
    words.feed(b"no end")
    words.finish()
    lines = words.text.splitlines()
    assert len(lines) == LINES_KEPT
    assert lines[-2:] == [f"line 39 {MASK}", "no end"]
    assert "hunter22" not in (tmp_path / "log").read_text()


def test_the_kept_stderr_does_not_grow_without_end(tmp_path: Path) -> None:
    words = LastWords(tmp_path / "log", Redactor())
    for _ in range(40):
        words.feed(b"x" * 100_000 + b"\n")
    assert (tmp_path / "log").stat().st_size <= 2 * LARGEST_FILE


def test_a_line_that_is_too_long_is_told_once_and_skipped() -> None:
    splitter = LineSplitter(5)
    seen = [line for chunk in (b"ab\ncdefgh", b"ij", b"kl\nmn\n") for line in splitter.feed(chunk)]
    assert [(line.data, line.whole) for line in seen] == [(b"ab", True), (b"cdefgh", False), (b"mn", True)]
