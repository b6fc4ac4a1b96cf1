#!/usr/bin/env bash
# The commands of docs/tutorials/your-reward-judge-user.md; run it in an empty folder.
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
cp "$HERE/mine.py" mine.py
cp "$HERE/pyproject.toml" pyproject.toml
pip install --quiet -e .
toolgym eval banking --split dev --tasks 20 --agent rules --judge strict --out runs/mine | grep -E "^thrifty|^outcome|judged"
toolgym judge runs/mine --judge rules --rewards thrifty tarl | grep -E "^thrifty|^tarl|judged"
toolgym eval banking --split dev --tasks 20 --agent demonstrator --user hurried --out runs/hurried | grep "^pass^1"
toolgym eval banking --split dev --tasks 20 --agent demonstrator --user hurried --user-options replies=6 --out runs/longer | grep "^pass^1"
