"""The name that a mistyped one was meant to be is offered, and none where nothing is near."""

import pytest

from plugineval.pccf.errors import AmbiguousNameError, UnknownNameError
from plugineval.pccf.nearest import meant, nearest

NAMES = ("filesystem", "mcp-server-time", "get_rectangle_area", "baseline:lexical", "mine", "math")
IDS = ("run-20261130-1a2b3c4d", "run-20261130-90ee12ab", "run-20261129-77aa0c1d")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("mien", "mine"),
        ("MATH", "math"),
        ("filesytsem", "filesystem"),
        ("baseline:lexcial", "baseline:lexical"),
        ("get_triangle_area", "get_rectangle_area"),
        ("server-time", "mcp-server-time"),
    ],
)
def test_a_slip_or_a_part_of_a_name_finds_it(given: str, name: str) -> None:
    assert nearest(given, NAMES)[0] == name


@pytest.mark.parametrize("given", ["", "x", "weather", "benchmark-1"])
def test_what_is_near_to_none_finds_none(given: str) -> None:
    assert (nearest(given, NAMES), meant(given, NAMES)) == ((), "")


def test_an_id_of_the_same_day_is_no_slip_of_another() -> None:
    assert nearest("run-20261130-1a2b3c5d", IDS) == IDS[:1]
    assert nearest("run-20261130-ffff0000", IDS) == ()


def test_names_and_ids_are_both_compared_while_only_ids_are_listed() -> None:
    error = UnknownNameError("benchmark", "mien", ["benchmark-1 (mine)"], alike=["mine", "benchmark-1"])
    assert str(error) == ("benchmark: there is no benchmark 'mien'; did you mean 'mine'? Allowed: benchmark-1 (mine).")


def test_what_several_have_is_told_as_that_and_still_caught_as_unknown() -> None:
    error = AmbiguousNameError("run", "run-2", ["run-21", "run-20"])
    assert isinstance(error, UnknownNameError)
    assert str(error) == (
        "run: 'run-2' is the beginning of several ids. Allowed: run-20, run-21. Next: give more of the id."
    )


def test_a_name_longer_than_any_is_not_repeated_whole() -> None:
    told = str(UnknownNameError("plugin", "x" * 1_000_000, ["git"]))
    assert len(told) < 400
    assert "(1000000 characters)" in told
    assert "Allowed: git." in told
