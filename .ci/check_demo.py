"""Hold the demo to what it promises: real plugins, several difficulties, all types of negatives, models."""

import json
import sys
from pathlib import Path

demo = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
checks = {
    "two real plugins with tools": len(demo["plugins"]) >= 2 and all(p["tools"] for p in demo["plugins"]),
    "accepted and rejected cases": demo["accepted"] > 0 and demo["rejected"] > 0,
    "positives": demo["positives"] > 0,
    "all three types of negatives": all(demo["negatives"].get(kind) for kind in ("type_a", "type_b", "type_c")),
    "several difficulties": sum(1 for count in demo["difficulties"].values() if count) >= 2,
    "the baseline and the floors": len(demo["models"]) >= 3,
    "confusion counts add up": all(sum(m["outcomes"].values()) == sum(m["confusion"].values()) for m in demo["models"]),
    "under 60 s": demo["seconds"] < 60,
    "a database": Path(demo["database"]).is_file(),
}
sys.stdout.write(json.dumps({**demo, "checks": checks}, indent=2) + "\n")
failed = [name for name, holds in checks.items() if not holds]
if failed:
    sys.exit(f"the demo broke its promise: {failed}")
