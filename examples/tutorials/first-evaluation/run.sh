#!/usr/bin/env bash
# The commands of docs/tutorials/first-evaluation.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym eval retail --agent rules --split dev --tasks 30 --out runs/plain
toolgym eval retail --agent rules --split dev --tasks 30 --user-options style=careless broken_off=1 --out runs/careless | head -n 3
toolgym compare runs/plain runs/careless | head -n 2
toolgym show runs/careless | sed -n '/turn 7/,/turn 10/p'
python - <<'PROGRAM'
import toolgym

results = toolgym.evaluate("retail", agent="oracle", split="dev", tasks=30)
print(results.pass_at[1], "is the ceiling of the state, without talking;", results["inert"], "is the floor")
PROGRAM
