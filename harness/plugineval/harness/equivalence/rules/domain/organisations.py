"""Companies: a ticker and a name, or a name with and without its legal form, may be one. Always unsure."""

import re

from plugineval.harness.equivalence.rules.domain.countries import plain
from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_TICKER = re.compile(r"\$?[A-Z]{1,5}(?:\.[A-Z]{1,2})?")
_LEGAL = re.compile(
    r"[,.]|\b(?:incorporated|inc|corporation|corp|company|co|limited|ltd|llc|plc|gmbh|ag|sa|nv|se|group|holdings?|the)\b"
)


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two names of companies, where the argument is one."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.ORGANISATION not in hints(place):
        return None
    if max(len(gold), len(predicted)) > 80:
        return None
    tickers = [bool(_TICKER.fullmatch(text.strip())) for text in (gold, predicted)]
    if tickers[0] != tickers[1]:
        return unsure("organisations.ticker", "a ticker against a name")
    if _bare(gold) == _bare(predicted) != "":
        return unsure("organisations.legal_form", "the same name with another legal form")
    return None


def _bare(text: str) -> str:
    return " ".join(_LEGAL.sub(" ", plain(text)).split())
