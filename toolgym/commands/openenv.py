"""Write the folder with which OpenEnv's tools start one world in a container: openenv.yaml, Dockerfile, README.md.

`toolgym serve` answers OpenEnv's clients without it, at /openenv/WORLD.

toolgym openenv retail --dir retail-env
"""

from __future__ import annotations

import argparse
from importlib.metadata import version
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain

PORT = 8000
_YAML = """\
spec_version: 1
name: toolgym_{name}
version: {version}
type: space
runtime: fastapi
app: toolgym.sandbox.server.app:from_environment
port: {port}
validation:
  reward:
    range: [0.0, 1.0]
    oracle_tolerance: 0.0
    floor_margin: 0.1
  resources:
    cpu: 1.0
    memory_mb: 1024
    disk_mb: 1024
    episode_timeout_s: 60.0
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags: [tool-use, simulated-user, multi-turn]
"""
_DOCKERFILE = """\
# {title} over OpenEnv. Build toolgym's own image first, in its checkout: docker build -t toolgym .
ARG TOOLGYM_IMAGE=toolgym
FROM ${{TOOLGYM_IMAGE}}
ENV TOOLGYM_OPENENV={name}
EXPOSE {port}
"""
_README = """\
---
title: toolgym {name}
sdk: docker
app_port: {port}
tags: [openenv]
---

# {title}

A conversation with a simulated user about {tools} tools; the reward is the verifier's, 0 or 1, at the end.

```bash
docker build -t toolgym-{name} .
docker run -p {port}:{port} -e TOOLGYM_TOKEN=$(openssl rand -hex 24) toolgym-{name}
```

```python
from openenv import GenericEnvClient

with GenericEnvClient("http://localhost:{port}", headers={{"Authorization": f"Bearer {{token}}"}}).sync() as env:
    result = env.reset(split="test", index=0, seed=0)
    result = env.step({{"message": "Hello! How can I help you?"}})
```
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym openenv`."""
    parser.add_argument("world", help="the world")
    parser.add_argument("--dir", required=True, metavar="DIR", help="the folder to write; it must not exist")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym openenv`."""
    world, folder = get_domain(arguments.world), Path(arguments.dir)
    if folder.exists():
        raise BadInput(f"{folder} exists already; name another one.")
    values = {
        "name": world.name,
        "title": world.title,
        "tools": len(world.tools),
        "version": version("toolgym"),
        "port": PORT,
    }
    folder.mkdir(parents=True)
    for name, text in (("openenv.yaml", _YAML), ("Dockerfile", _DOCKERFILE), ("README.md", _README)):
        (folder / name).write_text(text.format(**values), encoding="utf-8")
    print(f"Wrote {folder}. Next:\n  docker build -t toolgym .   # in toolgym's checkout")
    print(f"  docker build -t toolgym-{world.name} {folder}")
    return 0
