"""A settings file that merely lies in the working directory is inert until its owner trusts it, text and place."""

import os
from pathlib import Path

import pytest

from doubles.trusted import trusted_settings
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.settings import Settings
from plugineval.server.trust.settings_files import Trust, TrustedFiles

TEXT = """
[plugins.evil]
command = "x"
[models.far]
model = "m"
base_url = "http://far.example/v1"
[roles]
writer = "far"
"""
OWN = "[plugins.mine]\ncommand = 'y'\n"


def lying(folder: Path, text: str = TEXT) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "plugineval.toml"
    path.write_text(text)
    return path


def load(cwd: Path, home: Path, config: Path | None = None, **environ: str) -> Settings:
    return load_settings(config=config, home=home, environ=environ, cwd=cwd)


def test_nothing_of_an_untrusted_file_is_used_and_one_sentence_says_how_to_trust_it(tmp_path: Path) -> None:
    path = lying(tmp_path / "repo")
    found = load(tmp_path / "repo", tmp_path / "home")
    assert (found.plugins, found.models, found.roles.writer) == ({}, {}, "baseline:lexical")
    assert found.source is None
    assert found.untrusted is not None
    assert str(path) in found.untrusted.sentence
    assert f"plugineval trust {path} --home {tmp_path / 'home'}" in found.untrusted.sentence
    assert "\n" not in found.untrusted.sentence


def test_the_homes_file_counts_in_its_place(tmp_path: Path) -> None:
    lying(tmp_path / "repo")
    lying(tmp_path / "home", OWN)
    found = load(tmp_path / "repo", tmp_path / "home")
    assert list(found.plugins) == ["mine"]
    assert found.untrusted is not None


@pytest.mark.parametrize("way", ["named", "by variable", "in the home"])
def test_a_file_that_was_named_or_lies_in_the_home_needs_no_trust(tmp_path: Path, way: str) -> None:
    repo = tmp_path / "repo"
    path = lying(repo)
    home = repo if way == "in the home" else tmp_path / "home"
    environ = {"PLUGINEVAL_CONFIG": str(path)} if way == "by variable" else {}
    found = load(repo, home, path if way == "named" else None, **environ)
    assert list(found.plugins) == ["evil"]
    assert found.untrusted is None


def test_a_trusted_file_counts_until_it_is_changed(tmp_path: Path) -> None:
    repo, home = tmp_path / "repo", tmp_path / "home"
    repo.mkdir()
    path = trusted_settings(repo, TEXT, home=home)
    assert list(load(repo, home).plugins) == ["evil"]
    path.write_text(TEXT + "# more\n")
    found = load(repo, home)
    assert found.plugins == {}
    assert found.untrusted is not None
    assert "was changed since" in found.untrusted.sentence
    path.write_text(TEXT)
    assert list(load(repo, home).plugins) == ["evil"]


def test_the_same_text_in_another_folder_is_another_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    trusted_settings(tmp_path / "mine", TEXT, home=tmp_path / "home")
    lying(tmp_path / "repo")
    assert load(tmp_path / "repo", tmp_path / "home").plugins == {}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_to_a_trusted_file_is_not_trusted_because_relative_commands_would_be_the_repositorys(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine").mkdir()
    path = trusted_settings(tmp_path / "mine", "[plugins.a]\ncommand = './serve'\n", home=tmp_path / "home")
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "plugineval.toml").symlink_to(path)
    assert load(tmp_path / "repo", tmp_path / "home").plugins == {}


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
def test_a_pipe_of_that_name_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "plugineval.toml")
    assert load(tmp_path, tmp_path / "home").untrusted is not None


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"not = toml = at all", b""])
def test_what_is_not_even_a_settings_file_stops_nobody(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "plugineval.toml").write_bytes(content)
    assert load(tmp_path, tmp_path / "home").untrusted is not None


def test_a_name_that_is_not_known_is_answered_with_the_file_it_may_be_in(tmp_path: Path) -> None:
    lying(tmp_path / "repo")
    lying(tmp_path / "home", OWN)
    found = load(tmp_path / "repo", tmp_path / "home")
    with pytest.raises(ConfigurationError, match="plugineval trust"):
        found.plugin("evil")
    with pytest.raises(ConfigurationError, match="plugineval trust"):
        found.model("far")


def test_a_damaged_record_of_trust_is_no_trust(tmp_path: Path) -> None:
    path = trusted_settings(tmp_path, TEXT, home=tmp_path / "home")
    for file in (tmp_path / "home" / "trust").iterdir():
        file.write_text("{")
    assert TrustedFiles(tmp_path / "home").of(path, TEXT) is Trust.UNKNOWN


def test_trust_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    trusted_settings(tmp_path, TEXT, home=tmp_path / "home")
    home = tmp_path / "home"
    modes = [path.stat().st_mode & 0o777 for path in (home, *home.rglob("*"))]
    assert sorted(modes) == [0o600, 0o700, 0o700]


def test_trust_that_was_revoked_is_asked_for_again(tmp_path: Path) -> None:
    path = trusted_settings(tmp_path, TEXT, home=tmp_path / "home")
    trusted = TrustedFiles(tmp_path / "home")
    assert trusted.revoke(path)
    assert not trusted.revoke(path)
    assert trusted.of(path, TEXT) is Trust.UNKNOWN
