import json

import json5
import pytest

from plugineval.clients.hosts.json_text import UnclearTextError, with_value, without_value
from plugineval.pccf.values import Json

ENTRY: dict[str, Json] = {"command": "/v/bin/plugineval", "args": ["serve"]}
PATH = ("servers", "plugineval")
COMMENTED = """\
// what my editor starts
{
\t/* mine */
\t"servers": {
\t\t"time": { "command": "uvx", "args": ["mcp-server-time",], }, // the clock
\t\t// "old": {},
\t},
\t"inputs": [], // none
}
"""


def added(text: str) -> str:
    return with_value(text, PATH, ENTRY)


def test_a_member_goes_behind_the_others_in_their_indentation() -> None:
    text = '{\n    "servers": {\n        "a": {}\n    },\n    "x": 1\n}\n'
    assert added(text).splitlines()[2:5] == [
        '        "a": {},',
        '        "plugineval": {',
        '            "command": "/v/bin/plugineval",',
    ]
    assert without_value(added(text), PATH) == text


def test_comments_tabs_and_trailing_commas_stay() -> None:
    text = added(COMMENTED)
    assert json5.loads(text)["servers"] == {
        "time": {"command": "uvx", "args": ["mcp-server-time"]},
        "plugineval": ENTRY,
    }
    kept = [line for line in text.splitlines() if line in COMMENTED.splitlines()]
    assert kept == COMMENTED.splitlines()
    assert '\t\t\t"command": "/v/bin/plugineval"' in text
    assert without_value(text, PATH) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ }\n",
        '{"servers":{}}',
        '{"servers": {"a": {"command": "x"}}}',
        '{\n  "servers": {}\n}\n',
        '{\n  "servers": {\n    // nothing yet\n  }\n}\n',
        '{\n  "servers": {\n    "a": {} // last\n  }\n}\n',
        '{\n  "servers": { "a": 1 /* } */ }\n}\n',
        '{\r\n  "servers": {\r\n    "a": "}\\" // no comment"\r\n  }\r\n}\r\n',
        '{"x": [1, /* } */ 2,],\n "y": "{"}',
        "\n\n// only this\n{\n}\n",
    ],
)
def test_the_rest_of_any_document_stays_what_it_was(text: str) -> None:
    before, after = json5.loads(text), json5.loads(added(text))
    assert after == {**before, "servers": {**before.get("servers", {}), "plugineval": ENTRY}}
    assert json5.loads(without_value(added(text), PATH)) == {"servers": {}, **before}
    if "servers" in text:
        assert "".join(without_value(added(text), PATH).split()) == "".join(text.split())


def test_line_ends_of_the_document_are_those_of_the_new_member() -> None:
    text = added('{\r\n  "servers": {}\r\n}\r\n')
    assert text.count("\n") == text.count("\r\n") > 3


def test_a_document_in_one_line_stays_in_one_line() -> None:
    assert "\n" not in added('{"servers":{"a":{}}}')
    assert "\n" in added("{}")


def test_one_value_inside_a_member_is_changed_alone() -> None:
    text = '{\n  "servers": {\n    "plugineval": {\n      // pinned\n      "env": {"A": "1"}\n    }\n  }\n}\n'
    changed = with_value(text, (*PATH, "env", "B"), "2")
    assert changed == text.replace('"A": "1"', '"A": "1", "B": "2"')
    assert with_value(text, (*PATH, "env", "A"), "3") == text.replace('"1"', '"3"')


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"servers": {"plugineval": 1, "b": 2}}', '{"servers": { "b": 2}}'),
        ('{"servers": {"a": 1, "plugineval": 2, "b": 3}}', '{"servers": {"a": 1, "b": 3}}'),
        ('{"servers": {"a": 1, "plugineval": 2}}', '{"servers": {"a": 1}}'),
        ('{"servers": {"a": 1, // one\n"plugineval": 2}}', '{"servers": {"a": 1 // one\n}}'),
        ('{"servers": {"a": 1}}', '{"servers": {"a": 1}}'),
        ('{"other": {}}', '{"other": {}}'),
    ],
)
def test_a_member_is_taken_out_with_the_comma_that_is_its_own(text: str, rest: str) -> None:
    assert without_value(text, PATH) == rest


@pytest.mark.parametrize(
    "text",
    ['{"servers": []}', '{"servers": {}, "servers": {}}', "{servers: {}}", "[]", '{"a": 1 "servers": {}}', '{"a" 1}'],
)
def test_what_cannot_be_changed_for_sure_is_refused(text: str) -> None:
    with pytest.raises(UnclearTextError):
        added(text)


def test_names_are_compared_as_json_reads_them() -> None:
    text = '{"\\u0073ervers": {"plugineval": 0}}'
    assert json.loads(added(text)) == {"servers": {"plugineval": ENTRY}}
