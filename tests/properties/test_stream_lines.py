"""Lines come out of a stream as they went in, however it was cut into chunks."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.plugins.wire import LineSplitter

LINES = st.lists(st.binary(max_size=12).map(lambda raw: raw.replace(b"\n", b"")), max_size=8)


@given(lines=LINES, cuts=st.lists(st.integers(min_value=0, max_value=100), max_size=6), longest=st.integers(1, 12))
def test_chunks_do_not_matter(lines: list[bytes], cuts: list[int], longest: int) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    bounds = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    splitter = LineSplitter(longest)
    seen = [line for a, b in pairwise(bounds) for line in splitter.feed(stream[a:b])]
    assert [line.whole for line in seen] == [len(line) <= longest for line in lines]
    assert [line.data for line in seen if line.whole] == [line for line in lines if len(line) <= longest]
    assert all(full.startswith(cut.data) for full, cut in zip(lines, seen, strict=True))
