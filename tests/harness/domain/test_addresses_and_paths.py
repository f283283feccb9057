"""URLs, paths, mail addresses, phone numbers, IP addresses: normalised by their own standards."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("url", "https://site.test", "https://site.test/", "equal"),
        ("url", "HTTPS://Site.TEST/a", "https://site.test/a", "equal"),
        ("url", "https://site.test:443/a", "https://site.test/a", "equal"),
        ("url", "https://site.test/%7Eann", "https://site.test/~ann", "equal"),
        ("url", "https://site.test/a%2fb", "https://site.test/a%2Fb", "equal"),
        ("url", "https://site.test/a/../b", "https://site.test/b", "equal"),
        ("url", "https://site.test/?a=1&b=2", "https://site.test/?b=2&a=1", "equal"),
        ("url", "https://münchen.test/", "https://xn--mnchen-3ya.test/", "equal"),
    ],
)
def test_urls_are_normalised_without_asking_the_server(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("url", "http://site.test", "https://site.test", "different"),
        ("url", "https://site.test/a", "https://site.org/a", "different"),
        ("url", "https://site.test/a", "https://site.test/A", "different"),
        ("url", "https://site.test/?p=1", "https://site.test/?p=2", "different"),
        ("url", "https://site.test:8080/", "https://site.test/", "different"),
        ("url", "https://site.test/a%2Fb", "https://site.test/a/b", "different"),
    ],
)
def test_another_part_of_a_url_is_another_resource(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("url", "https://www.site.test", "https://site.test", "unsure"),
        ("url", "https://site.test/a/", "https://site.test/a", "unsure"),
        ("url", "https://site.test/?a=1&a=2", "https://site.test/?a=2&a=1", "unsure"),
        ("url", "https://site.test/a#top", "https://site.test/a", "unsure"),
        ("url", "site.test", "https://site.test", "unsure"),
        ("url", "https://site.test/a?utm_source=x", "https://site.test/a", "unsure"),
    ],
)
def test_what_only_the_server_knows_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("path", "data/a.csv", "./data//a.csv", "equal"),
        ("path", "/srv/./x", "/srv/x", "equal"),
        ("path", "data/a.csv", "data/A.csv", "different"),
        ("path", "a.csv", "data/a.csv", "different"),
        ("path", "/data/a.csv", "data/a.csv", "different"),
        ("directory", "src/data", "src/data/", "equal"),
        ("path", "a/../b.txt", "b.txt", "equal"),
        ("file", "C:\\Data\\a.txt", "c:/Data/a.txt", "equal"),
    ],
)
def test_paths_are_normalised_and_keep_their_case(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("path", "~/a.txt", "/srv/ann/a.txt", "unsure"),
        ("path", "~/a.txt", "/srv/ann/b.txt", "different"),
        ("path", "/srv/data/a.csv", "data/a.csv", "unsure"),
        ("path", "../b.txt", "b.txt", "different"),
        ("path", "../work/b.txt", "b.txt", "unsure"),
        ("path", "a/x/../b.txt", "a/b.txt", "equal"),
        ("path", "data\\a.csv", "data/a.csv", "unsure"),
        ("path", "src/data", "src/data/", "unsure"),
        ("folder", "Inbox", "inbox", "none"),
        ("text", "and/or", "and / or", "none"),
    ],
)
def test_paths_that_only_the_machine_can_resolve_are_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("to", "ann@Mail.test", "ann@mail.test", "equal"),
        ("to", "Ann@mail.test", "ann@mail.test", "equal"),
        ("to", "ann.lee@mail.test", "annlee@mail.test", "different"),
        ("to", "ann+news@mail.test", "ann@mail.test", "different"),
        ("to", "ann@mail.test", "ann@mail.org", "different"),
        ("to", "ann.lee@gmail.com", "annlee@gmail.com", "unsure"),
        ("to", "Ann Lee <ann@mail.test>", "ann@mail.test", "unsure"),
    ],
)
def test_a_mail_address_ignores_case_and_nothing_else(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("phone", "+14155550132", "+1 (415) 555-0132", "equal"),
        ("phone", "0049 30 901820", "+4930901820", "equal"),
        ("phone", "+44 20 7946 0958", "020 7946 0958", "equal"),
        ("phone", "+44 (0)20 7946 0958", "+442079460958", "equal"),
        ("phone", "(415) 555-0132", "415-555-0132", "equal"),
        ("phone", "+14155550132", "+14155550123", "different"),
        ("phone", "+14155550132", "+44 415 555 0132", "different"),
        ("phone", "4155550132", "4155550133", "different"),
        ("phone", "+1 415 555 0132 ext 5", "+1 415 555 0132", "different"),
    ],
)
def test_phone_numbers_are_their_digits(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("phone", "+14155550132", "5550132", "unsure"),
        ("phone", "0301234567", "301234567", "unsure"),
        ("phone", "1-800-FLOWERS", "18003569377", "unsure"),
    ],
)
def test_a_shortened_phone_number_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("ip", "::1", "0:0:0:0:0:0:0:1", "equal"),
        ("host", "FE80::A", "fe80::a", "equal"),
        ("ip", "10.0.0.1", "10.0.0.2", "different"),
        ("cidr", "10.0.0.0/8", "10.0.0.0/16", "different"),
        ("cidr", "10.0.0.0/8", "10.1.0.0/8", "unsure"),
        ("ip", "::ffff:10.0.0.1", "10.0.0.1", "unsure"),
        ("host", "localhost", "127.0.0.1", "unsure"),
        ("time", "17:00", "17:00:00", "none"),
    ],
)
def test_one_ip_address_has_many_spellings(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
