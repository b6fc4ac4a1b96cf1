"""Prints what must be the same in every process, as one JSON object: `python world_digests.py WORLD ...`.

Of each world the seed data, some tasks (drawn where it declares goals) and one episode.
"""

from __future__ import annotations

import hashlib
import json
import sys

from world_tasks import played, some_tasks

from toolgym.sandbox.runtime.registry import get_domain


def digests(world: str) -> dict[str, str]:
    """SHA-256 of each part."""
    tasks = some_tasks(world, 8)
    (episode,) = played(world, "oracle", tasks[:1])
    parts = {
        "seed data": get_domain(world).template().content,
        "tasks": "\n".join(task.model_dump_json() for task in tasks).encode(),
        "episode": episode.canonical().encode(),
    }
    return {name: hashlib.sha256(content).hexdigest() for name, content in parts.items()}


if __name__ == "__main__":
    print(json.dumps({world: digests(world) for world in sys.argv[1:]}))
