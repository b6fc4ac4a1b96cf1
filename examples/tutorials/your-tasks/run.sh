#!/usr/bin/env bash
# The commands of docs/tutorials/your-tasks.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym tasks generate banking --split test --count 8 --seed 7 --depth 2..3 --structure chain --information described --out chains.jsonl
toolgym tasks stats banking --data own:chains.jsonl | head -n 3
toolgym tasks show banking banking-test-7-d2-chain-described-0000 --data own:chains.jsonl
toolgym tasks lint banking --data own:chains.jsonl | tail -n 1
toolgym eval banking --data own:chains.jsonl --agent rules --out runs/chains | head -n 4
