#!/usr/bin/env bash
# The commands of docs/tutorials/serve-and-connect.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym serve --port ${TOOLGYM_PORT:-8000} --data-dir store > serve.log 2>&1 &
echo $! > serve.pid
curl -s --retry 30 --retry-connrefused --retry-delay 1 http://127.0.0.1:${TOOLGYM_PORT:-8000}/readyz
SERVER=http://127.0.0.1:${TOOLGYM_PORT:-8000}
ID=$(curl -s $SERVER/sessions -d '{"domain": "kiosk"}' | python -c 'import json, sys; print(json.load(sys.stdin)["id"])')
curl -s $SERVER/sessions/$ID/kiosk/reserve_ticket -d '{"ticket_id": "T102", "holder": "Greta Olsen"}'; echo
curl -s $SERVER/sessions/$ID/kiosk/reserve_ticket -d '{"ticket_id": "T102", "holder": "Hugo Lind"}'; echo
curl -s $SERVER/sessions/$ID/diff
python - <<'PROGRAM'
import asyncio
import os

import httpx2
from mcp.client import Client

SERVER = f"http://127.0.0.1:{os.environ.get('TOOLGYM_PORT', '8000')}"


async def main() -> None:
    session = httpx2.post(f"{SERVER}/sessions", json={"domain": "kiosk", "task": "kiosk-4"}).json()
    async with Client(SERVER + session["mcp_path"]) as mcp:
        print([tool.name for tool in (await mcp.list_tools()).tools])
        await mcp.call_tool("reserve_ticket", {"ticket_id": "T118", "holder": "Ines Costa"})
    print(httpx2.post(f"{SERVER}/sessions/{session['id']}/verify").json()["passed"])


asyncio.run(main())
PROGRAM
toolgym mcp kiosk --config
kill $(cat serve.pid) && rm serve.pid
