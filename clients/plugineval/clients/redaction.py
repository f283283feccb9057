"""Secrets never reach a record: what was said outside is searched for every secret known here, and they are struck out.

A secret is found as it is and as it looks inside JSON, a URL, HTML, a Python text, hex and base64, wherever it begins
in what was encoded; one that looks drawn at random, in any case. What an untrusted party takes apart in ways of its
own (reversed, one letter a line) nothing can find.
"""

import base64
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote, quote_plus

from plugineval.pccf.values import Json

BLOT = "[redacted]"
SHORTEST = 6
"""Shorter texts are no secrets: striking out every `1` would falsify what is graded and judged."""
SHORTEST_LINE = 16
"""Of the lines of a key file, which are looked for one by one."""
LONGEST = 4096
"""Characters that a secret has at most in practice: so much is kept beyond a cut until it was searched."""
SEVERAL_LAYERS = 3
_SCHEME = re.compile(r"(?i:bearer|basic|token)\s+(\S+)")
_ENCODED_FROM = 6
_DRAWN_FROM = 12
_FIELD = re.compile(r'"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)"')


class Redactor:
    """Strikes the secrets that it was given out of texts and JSON values; `mask` stands in their place."""

    def __init__(self, secrets: Iterable[str] = (), *, mask: str = BLOT, shortest: int = SHORTEST) -> None:
        parts = {part for secret in secrets for part in _parts(secret) if len(part) >= shortest}
        self._mask = mask
        self._exact = sorted({form for part in parts for form in _exact(part)}, key=len, reverse=True)
        self._loose = sorted({form.lower() for part in parts for form in _loose(part)}, key=len, reverse=True)
        loose = [f"(?i:{re.escape(form)})" for form in self._loose]
        # The longest first, so that no end of a form stays behind a shorter one.
        both = sorted([*loose, *map(re.escape, self._exact)], key=len, reverse=True)
        self._pattern = re.compile("|".join(both))

    def __bool__(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._exact or self._loose)

    def holds(self, text: str) -> bool:
        """Whether a secret stands in `text`."""
        # A plain search is many times faster than the pattern, and nearly always finds nothing.
        if any(form in text for form in self._exact):
            return True
        lowered = text.lower() if self._loose else ""
        return any(form in lowered for form in self._loose)

    def text(self, text: str) -> str:
        """`text` without secrets; the same object where there are none."""
        return self._pattern.sub(self._mask, text) if self.holds(text) else text

    def data(self, data: bytes) -> bytes:
        """`data`, which is text in UTF-8 or nearly so, without secrets; the same object where there are none."""
        text = data.decode(errors="replace")
        return self._pattern.sub(self._mask, text).encode(errors="replace") if self.holds(text) else data

    def json(self, value: Json) -> Json:
        """`value` without secrets, in keys too; the same object where there are none."""
        if not self:
            return value
        # One search in the whole as JSON, whose escapes are among the forms, costs a fraction of one in every text.
        if not self.holds(json.dumps(value, ensure_ascii=False)):
            return value
        clean = walked(value, self.text)
        return value if clean == value else clean

    def in_pieces(self, raw: str) -> bool:
        """Whether the texts of one field of `raw`, read one after the other as a stream is put together, hold one."""
        whole: dict[str, str] = {}
        for name, piece in _FIELD.findall(raw):
            whole[name] = whole.get(name, "") + piece
        return any(self.holds(text) for text in whole.values())


def walked(value: Json, change: Callable[[str], str]) -> Json:
    """`value` with `change` made to every text in it, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [walked(item, change) for item in value]
    if isinstance(value, dict):
        return {change(key): walked(item, change) for key, item in value.items()}
    return value


def spelled(text: str) -> set[str]:
    """As it is, inside JSON, and in a URL."""
    in_json = (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    return {text, *in_json, quote(text, safe=""), quote(text)}


def drawn(text: str) -> bool:
    """Whether `text` can hardly be a word: long, of letters and digits, without spaces, and no path."""
    return (
        len(text) >= _DRAWN_FROM
        and text.isascii()
        and not re.search(r"\s|^[/~.]", text)
        and bool(re.search(r"\d", text) and re.search(r"[A-Za-z]", text))
    )


def _parts(secret: str) -> Iterator[str]:
    whole = secret.strip()
    yield whole
    yield from _SCHEME.findall(whole)
    lines = whole.splitlines()
    if len(lines) > 1:
        yield from (line.strip() for line in lines if len(line.strip()) >= SHORTEST_LINE)


def _exact(part: str) -> Iterator[str]:
    """The forms in which capitals matter."""
    if not drawn(part):
        yield from (form for layer in _layers(part) for form in layer)
        yield from {quote(part, safe=""), quote(part), quote_plus(part)}
    if len(part) >= _ENCODED_FROM:
        yield from _base64(part.encode(errors="replace"))


def _loose(part: str) -> Iterator[str]:
    """The forms that are found in capitals and in small letters."""
    if drawn(part):
        yield from (form for layer in _layers(part) for form in layer)
    urls = {quote(part, safe=""), quote(part), quote_plus(part)}
    yield from urls if drawn(part) else urls - {part}
    if len(part) >= _ENCODED_FROM:
        yield part.encode(errors="replace").hex()


def _layers(part: str) -> Iterator[set[str]]:
    """As it is, then written into a text of JSON, Python or HTML, and that into another one."""
    forms = {part}
    for _ in range(SEVERAL_LAYERS):
        yield forms
        forms = {written for form in forms for written in _written(form)} - forms


def _written(text: str) -> set[str]:
    in_json = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    return {*in_json, repr(text)[1:-1], html.escape(text), html.escape(text, quote=False)}


def _base64(data: bytes) -> set[str]:
    """As encoded alone, and the characters that are certain where it begins at each place within three bytes."""
    found: set[str] = set()
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        found.add(encode(data).decode().rstrip("="))
        for before in range(3):
            whole = encode(bytes(before) + data).decode()
            found.add(whole[-(-8 * before // 6) : 8 * (before + len(data)) // 6])
    return found
