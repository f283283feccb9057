"""Values that people put into free text arguments, by what the argument's own words say it is about."""

import re

from plugineval.clients.baseline.arguments import Argument
from plugineval.clients.baseline.words import each_phrase, each_word

ZONES = each_word(
    "America/New_York America/Chicago America/Denver America/Los_Angeles America/Toronto America/Bogota America/Lima "
    "America/Halifax America/Phoenix Europe/London Europe/Paris Europe/Berlin Europe/Madrid Europe/Rome "
    "Europe/Vienna Europe/Athens Europe/Helsinki Europe/Lisbon Europe/Dublin Europe/Warsaw Europe/Oslo Europe/Prague "
    "Africa/Cairo Africa/Lagos Africa/Nairobi Africa/Johannesburg Asia/Tokyo Asia/Seoul Asia/Shanghai Asia/Singapore "
    "Asia/Dubai Asia/Kolkata Asia/Jakarta Asia/Manila Asia/Bangkok Asia/Karachi Australia/Sydney Australia/Perth "
    "Australia/Brisbane Pacific/Auckland Pacific/Honolulu"
)
PEOPLE = each_word("dana omar lucia henrik amara jonas priya mateo ingrid tariq noor felix")
HOSTS = each_word("example.org example.com example.net")
PATHS = each_word(
    "notes.txt docs/plan.md src/main.py data/sales.csv reports/summary.txt config/settings.toml ./drafts README.md"
)
DIRECTORIES = ("./", "./project", "/tmp", "./workspace", "/srv/data")

_ADJECTIVES = each_word("quarterly weekly internal final revised public urgent regional shared annual early combined")
_NOUNS = each_phrase(
    "budget report|launch plan|team lunch|travel policy|sales review|security audit|design sketch|holiday rota"
)
_TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"natural.language|conversion request",
        ("12 km to miles", "5 kg to pounds", "30 minutes to hours", "9 feet to meters", "3 gallons to liters"),
    ),
    (
        r"\b(?:city|location|place|town|destination)\b",
        ("Oslo", "Lisbon", "Nairobi", "Osaka", "Quito", "Lyon", "Perth", "Tampere"),
    ),
    (r"\bcountry\b", ("Norway", "Kenya", "Portugal", "Japan", "Peru", "Canada", "Vietnam")),
    (r"\bcurrency\b", ("USD", "EUR", "GBP", "JPY", "CHF", "SEK")),
    (r"\blanguage\b", ("French", "German", "Spanish", "Japanese", "Portuguese", "Swahili")),
    (r"\bcolou?r\b", ("#ff8800", "#336699", "teal", "crimson", "#0a0a0a", "goldenrod")),
    (r"\bcron\b", ("0 9 * * 1", "*/15 * * * *", "30 6 1 * *", "0 22 * * 5")),
    (r"\b(?:regex|regular|pattern)\b", (r"\d+", "[a-z]+", r"^\w+$", "colou?r", r"\s+")),
    (r"\bcidr\b", ("10.0.0.0/8", "192.168.4.0/24", "172.16.0.0/12")),
    (r"\bip\b", ("10.1.2.3", "192.168.4.20", "172.16.9.1", "203.0.113.9")),
    (r"\bversion\b", ("1.4.2", "2.0.0", "0.9.13", "3.11.5")),
    (r"\bbranch\b", ("feature-login", "release-candidate", "fix-typo", "experiment")),
    (r"\b(?:revision|commit|target|ref)\b", ("HEAD", "HEAD~1", "main")),
    (r"\bvariable\b", ("total", "speed", "rate", "width")),
    (r"\b(?:character|char)\b", ("é", "ß", "Ω", "ñ", "→")),
    (r"\b(?:number|value|digits?)\b", ("4539578763621486", "255", "79927398713", "1024")),
    (
        r"\b(?:first|last|full|user|person)?\s?name\b",
        ("Dana Whitfield", "Omar Reyes", "Lucia Brandt", "Henrik Solberg"),
    ),
)


def text_samples(argument: Argument) -> tuple[str, ...]:
    """Plausible values for a free text argument; at least a few dozen where its words suggest nothing special."""
    about = f"{argument.label} {argument.description}".lower()
    for pattern, values in _TOPICS:
        if re.search(pattern, about):
            return values
    return tuple(f"{adjective} {noun}" for adjective in _ADJECTIVES for noun in _NOUNS)
