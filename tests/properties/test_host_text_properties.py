"""Whatever a host file holds and however it is laid out, our entry comes and goes and the rest stays."""

import json

from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.hosts.json_text import with_value, without_value
from plugineval.pccf.values import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
SERVERS = st.dictionaries(st.text(max_size=6).filter(lambda name: name != "plugineval"), VALUES, max_size=3)
DOCUMENTS = st.tuples(st.dictionaries(st.text(max_size=6), VALUES, max_size=3), SERVERS).map(
    lambda both: {**both[0], "mcpServers": both[1]}
)
LAYOUTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])


@given(document=DOCUMENTS, entry=VALUES, indent=LAYOUTS, ascii_only=st.booleans(), crlf=st.booleans())
def test_an_entry_that_comes_and_goes_leaves_every_character_where_it_was(
    document: dict[str, Json], entry: Json, indent: int | str | None, ascii_only: bool, crlf: bool
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    text = text.replace("\n", "\r\n") if crlf else text
    path = ("mcpServers", "plugineval")
    added = with_value(text, path, entry)
    servers = document["mcpServers"]
    assert isinstance(servers, dict)
    assert json.loads(added) == {**document, "mcpServers": {**servers, "plugineval": entry}}
    removed = without_value(added, path)
    if servers:
        assert removed == text
    assert json.loads(removed) == document
