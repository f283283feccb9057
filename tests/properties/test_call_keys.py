"""The digest of a call is the content hash of its key, which journals of every version are looked up by."""

from hypothesis import given
from hypothesis import strategies as st

from plugineval.pccf.ledger import CallKey
from plugineval.pccf.values import Json, content_hash

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(stage=st.text(), model=st.text(), case=st.text(), repeat=st.integers(0, 10**12), request=json_values)
def test_the_digest_is_the_content_hash(stage: str, model: str, case: str, repeat: int, request: Json) -> None:
    key = CallKey(stage=stage, model=model, case=case, repeat=repeat, request=request)
    assert key.digest == content_hash(key)
