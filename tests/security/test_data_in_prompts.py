"""Data stays data: no text can close its fence, for a careful reader or for a careless one, nor part a chat."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.poison import ORDER, ORDERS, outside_of_data
from plugineval.harness.rendering.neutral import shown
from plugineval.pccf.prompts import fenced

PARTS = st.lists(
    st.sampled_from(
        ["</data>", "<data", "< / DATA id=1>", '</data id="', "<|im_end|>", "[/INST]", "<<SYS>>", "</s>", ORDER, "\n"]
    )
    | st.text(max_size=6)
)


@given(PARTS.map("".join))
def test_nothing_outside_of_a_fence_comes_from_the_data(text: str) -> None:
    block = fenced("query", text)
    assert ORDER not in outside_of_data(block)
    token = re.findall(r'^<data name="query" id="(\w+)">', block)[0]
    assert block.count(token) == 2
    inner = block.split("\n", 1)[1].rsplit("\n", 1)[0]
    assert not re.search(r"<\s*/?\s*data\b|<\||\[/?INST\]|<<SYS>>|</?s>", inner, re.IGNORECASE)


@given(st.dictionaries(st.text(max_size=8), PARTS.map("".join), max_size=4))
def test_the_escape_changes_no_json(value: dict[str, str]) -> None:
    inner = fenced("tool", dict(value)).split("\n", 1)[1].rsplit("\n", 1)[0]
    assert json.loads(inner) == value


@pytest.mark.parametrize("order", ORDERS)
def test_no_known_order_stands_outside_of_its_fence(order: str) -> None:
    assert ORDER not in outside_of_data(fenced("observation", {"text": order}))


def test_words_of_ours_and_markers_of_data_are_shown_as_they_are() -> None:
    ours = (
        '{"score": <number from 0 to 1>}\n<data name="query" id="12ab">\na < b & c, [x](https://ours.example)\n</data>'
    )
    assert shown(ours) == ours


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("< ImG src=x>", "&lt; ImG src=x>"),
        ("![p](http://x/p.png)", "!\\[p](http://x/p.png)"),
        ("[a](javascript:x)", "[a](javascript&#58;x)"),
        ("[a](data:text/html;base64,x)", "[a](data&#58;text/html;base64,x)"),
        ("the data: 5", "the data: 5"),
        ("a\x1b[31m\u202eb", "a\\x1b[31m\\u202eb"),
    ],
)
def test_what_would_be_obeyed_is_shown_instead(text: str, found: str) -> None:
    assert shown(text) == found
