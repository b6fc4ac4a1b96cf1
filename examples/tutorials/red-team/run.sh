#!/usr/bin/env bash
# The commands of docs/tutorials/red-team.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym redteam banking --tasks 12 --seed 7 --exploiter silent gold-unasked gold-denies every-change --out runs/redteam
toolgym mutate banking --tasks 8 | tail -n 16 | head -n 10
