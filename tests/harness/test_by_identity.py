"""Values are found by the very object they were made of, and go with it."""

import pytest

from plugineval.harness import by_identity
from plugineval.harness.by_identity import ByIdentity
from plugineval.pccf.gold import GoldCall


def call() -> GoldCall:
    return GoldCall(tool="add", arguments={"a": 1})


@pytest.fixture
def known() -> ByIdentity[GoldCall, str]:
    return ByIdentity()


def test_a_value_is_that_of_one_object_and_not_of_an_equal_one(known: ByIdentity[GoldCall, str]) -> None:
    one, other = call(), call()
    known.keep(one, "one")
    assert one == other
    assert (known.get(one), known.get(other)) == ("one", None)


def test_a_value_goes_with_its_object(known: ByIdentity[GoldCall, str]) -> None:
    one, other = call(), call()
    known.keep(one, "one")
    known.keep(other, "other")
    del one
    assert (len(known), known.get(other)) == (1, "other")


def test_an_object_that_was_kept_anew_has_its_last_value_and_still_goes(known: ByIdentity[GoldCall, str]) -> None:
    one = call()
    known.keep(one, "first")
    known.keep(one, "last")
    assert known.get(one) == "last"
    del one
    assert len(known) == 0


def test_what_is_cleared_is_unknown(known: ByIdentity[GoldCall, str]) -> None:
    one = call()
    known.keep(one, "one")
    known.clear()
    assert known.get(one) is None
    del one
    assert len(known) == 0


def test_an_object_may_go_when_the_names_of_the_module_are_gone(
    known: ByIdentity[GoldCall, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = call()
    known.keep(one, "one")
    monkeypatch.setattr(by_identity, "_Holding", None)
    del one
    assert len(known) == 0
