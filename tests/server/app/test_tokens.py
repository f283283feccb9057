"""The token of the HTTP server: given, or made once for its owner."""

import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from doubles.store import as_ordinary_user
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.app.tokens import VARIABLE, StaticTokenVerifier, load_token, token_path


def test_the_given_token_counts_and_nothing_is_kept(tmp_path: Path) -> None:
    assert load_token(tmp_path, {VARIABLE: "sixteen-letters-"}) == "sixteen-letters-"
    assert not token_path(tmp_path).exists()


@pytest.mark.parametrize("given", ["", "short"])
def test_a_token_that_can_be_guessed_is_refused(given: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"fewer than 16.*unset"):
        load_token(tmp_path, {VARIABLE: given})


def test_a_made_token_is_for_its_owner_alone_and_stays(tmp_path: Path) -> None:
    made = load_token(tmp_path / "home", {})
    assert load_token(tmp_path / "home", {}) == made
    assert stat.S_IMODE(token_path(tmp_path / "home").stat().st_mode) == 0o600
    assert load_token(tmp_path / "other", {}) != made


def test_a_home_that_cannot_be_written_is_one_sentence() -> None:
    with TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o555)
        with as_ordinary_user(home), pytest.raises(ConfigurationError, match=f"{VARIABLE}: .*{name}.*--home"):
            load_token(home, {})


@pytest.mark.anyio
async def test_exactly_one_token_is_accepted() -> None:
    verifier = StaticTokenVerifier("sixteen-letters-")
    accepted = await verifier.verify_token("sixteen-letters-")
    assert accepted is not None
    assert accepted.client_id == "owner"
    for other in ("", "sixteen-letters", "sixteen-letters-x", "größer"):
        assert await verifier.verify_token(other) is None
