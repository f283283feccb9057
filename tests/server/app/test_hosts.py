"""Names under which a server may be asked for."""

import socket

import pytest

from plugineval.server.app.hosts import VARIABLE, in_url, is_loopback, security_of


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
def test_on_loopback_only_loopback_names_are_accepted(host: str) -> None:
    security = security_of(host, {})
    assert is_loopback(host)
    assert security.enable_dns_rebinding_protection
    assert {name.removesuffix(":*") for name in security.allowed_hosts} == {"127.0.0.1", "localhost", "[::1]"}


def test_a_named_address_is_accepted_beside_loopback() -> None:
    allowed = security_of("10.1.2.3", {}).allowed_hosts
    assert {"10.1.2.3", "10.1.2.3:*", "localhost:*"} <= set(allowed)
    assert socket.gethostname() not in allowed


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_everywhere_means_every_name_of_this_machine_and_no_other(host: str) -> None:
    security = security_of(host, {VARIABLE: " evals.example ,,fe80::1"})
    assert security.enable_dns_rebinding_protection
    assert {socket.gethostname(), "127.0.0.1:*", "evals.example:*", "[fe80::1]:*"} <= set(security.allowed_hosts)
    assert "https://evals.example" in security.allowed_origins
    assert "*" not in {*security.allowed_hosts, *security.allowed_origins}


def test_an_address_of_version_6_is_bracketed_in_a_url() -> None:
    assert (in_url("::1"), in_url("10.0.0.1"), in_url("evals.example")) == ("[::1]", "10.0.0.1", "evals.example")
    assert not is_loopback("evals.example")
