from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.hosts.names import plugin_name, variable_name
from plugineval.clients.plugins.registration import PluginRegistration


@given(st.lists(st.text(max_size=80), max_size=8))
def test_any_names_become_distinct_ones_that_a_registration_accepts(wanted: list[str]) -> None:
    names: list[str] = []
    for name in wanted:
        names.append(plugin_name(name, names))
    assert len(set(names)) == len(wanted)
    for name in names:
        assert PluginRegistration(name=name, command="c").name == name


@given(st.lists(st.text(max_size=20), max_size=3))
def test_any_words_become_the_name_of_an_environment_variable(parts: list[str]) -> None:
    name = variable_name(*parts)
    assert name.isascii()
    assert name.isidentifier()
    assert name == name.upper()


def test_a_name_that_is_fine_is_kept() -> None:
    assert plugin_name("mcp-server_time", ["math"]) == "mcp-server_time"
    assert variable_name("git hub", "token") == "GIT_HUB_TOKEN"
