#!/usr/bin/env bash
# The commands of docs/tutorials/your-agent.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
cp "$HERE/booker.py" booker.py
toolgym eval kiosk --agent booker.py:play --split test --out runs/booker | head -n 2
toolgym show runs/booker | sed -n '/turn 2/,/^failed/p'
sed -i 's/^    if not evening:/    if "move my" in said and results:\n        return "I am sorry, a ticket cannot be moved to another name. Anything else?"\n&/' booker.py
toolgym eval kiosk --agent booker.py:play --split test --out runs/mended | head -n 2
cp "$HERE/pyproject.toml" pyproject.toml
pip install --quiet -e .
toolgym eval kiosk --agent booker --split test --out runs/named | head -n 1
