"""Write the ids of the published tasks whose gold breaks a rule that was mended since, beside their splits.

python benchmarks/flawed.py               # every world with a version 2; about ten minutes of a core
python benchmarks/flawed.py budget
"""

import json
import sys
from pathlib import Path

from toolgym import domains
from toolgym.sandbox.kit.domain import FLAWED
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.synthesis.proof.flaws import flaw


def main(worlds: list[str]) -> None:
    """Entry."""
    for world in worlds or [name for name in names("domains") if "v2" in get_domain(name).data]:
        domain = get_domain(world)
        tasks = [task for split in domain.open_data("v2").splits for task in domain.tasks(split, "v2")]
        found = {task.id: why for task in tasks if (why := flaw(task))}
        print(f"{world}: {len(found)} of {len(tasks)}")
        file = Path(domains.__path__[0]) / world / "splits" / "v2" / FLAWED
        if found:
            file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
