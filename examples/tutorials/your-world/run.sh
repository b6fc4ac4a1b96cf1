#!/usr/bin/env bash
# The commands of docs/tutorials/your-world.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym new-domain library
pip install --quiet -e library
toolgym check library
toolgym tasks generate library --split test --count 20 --out mine.jsonl
toolgym tasks show library library-test-1-0000 --data own:mine.jsonl > first-task.txt
toolgym eval library --data own:mine.jsonl --agent oracle | grep "^pass^1"
toolgym eval library --data own:mine.jsonl --agent inert | grep "^pass^1"
pip install --quiet pytest
python -m pytest -q library | tail -n 1 | cut -d " " -f 2
python - <<'PROGRAM'
import asyncio

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters


async def main() -> None:
    async with Client(StdioServerParameters(command="toolgym", args=["mcp", "library"])) as client:
        print([tool.name for tool in (await client.list_tools()).tools])
        print((await client.call_tool("list_items", {"label": "drill"})).content[0].text)


asyncio.run(main())
PROGRAM
python - <<'PROGRAM'
import gymnasium
import toolgym

env = gymnasium.make("ToolLibrary-v0", data="own:mine.jsonl", split="test")
observation, info = env.reset(seed=1)
print(env.spec.id)
PROGRAM
