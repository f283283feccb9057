"""What must not leave a log of real users: it is replaced by the same harmless stand-in, wherever it stands."""

import pytest

from plugineval.clients.traffic.masking import Masker


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to ann@corp.com, cc Ann@Corp.com", "write to person1@example.com, cc person1@example.com"),
        ("write to ann@corp.com and bob@corp.com", "write to person1@example.com and person2@example.com"),
        ("my key is sk-abcdefgh12345678ijkl, thanks", "my key is [secret1], thanks"),
        ("the password is hunter22!", "the password is [secret1]"),
        ("token: abcdEFGH1234", "token: [secret1]"),
        ("Authorization: Bearer abc.def-123456789", "Authorization: Bearer [secret1]"),
        ("open https://me:pw12@host.example/a?b=1", "open https://[secret1]@host.example/a?b=1"),
        ("call +49 30 901820 now", "call +1 202-555-0100 now"),
        ("call (202) 555-0143 now", "call +1 202-555-0100 now"),
        ("charge 5105 1051 0510 5100 again", "charge 4111 1111 1111 1111 again"),
        ("pay DE89 3704 0044 0532 0130 00 today", "pay GB33BUKB20201555555555 today"),
        ("ping 8.8.8.8 and 2001:4860:4860::8888", "ping 203.0.113.1 and 203.0.113.2"),
    ],
)
def test_secrets_and_personal_data_get_stand_ins_of_their_own_shape(text: str, masked: str) -> None:
    assert Masker().masked(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "What time is 2026-11-30T10:00:00Z in Europe/Berlin?",
        "pi is 3.14159265358979323846",
        "the GCD of 123456789012 and 9876543210987654",
        "order 1234567890123 of 2026-11-30",
        "show 123e4567-e89b-12d3-a456-426614174000",
        "is 10.0.0.1 in 10.0.0.0/8 or 127.0.0.1?",
        "reset the password: please tell me how",
        "my secret is that I love git",
        "at 10:30:00 and 12:45",
        "multiply 1.5 by 4111 1111 1111 1112",
        "list reports/2026/quarterly-summary.md",
        "convert 1-800 grams to ounces",
    ],
)
def test_what_a_tool_is_asked_with_is_left_as_it_is(text: str) -> None:
    masker = Masker()
    assert masker.masked(text) == text
    assert masker.told == {}


def test_the_same_person_keeps_one_stand_in_over_a_whole_file() -> None:
    masker = Masker()
    first, second = masker.masked("mail ann@corp.com"), masker.masked("did ANN@corp.com answer +1 415-555-2671?")
    assert first == "mail person1@example.com"
    assert second == "did person1@example.com answer +1 202-555-0100?"
    assert masker.told == {"email": 2, "phone": 1}
