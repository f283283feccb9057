"""The ISO registers that pycountry ships, as plain records: countries, subdivisions, languages, currencies.

Read as data and not through pycountry's classes, whose attributes have no types.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

_FILES = {"3166-1": "iso3166-1.json", "3166-2": "iso3166-2.json", "639-3": "iso639-3.json", "4217": "iso4217.json"}


@lru_cache(maxsize=4)
def table(register: Literal["3166-1", "3166-2", "639-3", "4217"]) -> tuple[dict[str, str], ...]:
    """All records of one register. `alpha_2`, `alpha_3`, `code`, `name`, `common_name`: what pycountry documents."""
    import pycountry

    text = (Path(pycountry.DATABASE_DIR) / _FILES[register]).read_text(encoding="utf-8")
    return tuple(cast("dict[str, list[dict[str, str]]]", json.loads(text))[register])
