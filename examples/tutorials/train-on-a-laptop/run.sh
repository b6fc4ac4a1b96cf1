#!/usr/bin/env bash
# The commands of docs/tutorials/train-on-a-laptop.md; run it in an empty folder.
# Needs the extra `train`: `pip install -e '.[train]' -c constraints.txt`
set -e
HERE=$(cd "$(dirname "$0")" && pwd)
toolgym eval banking --agent demonstrator --split train --tasks 60 --out runs/teacher | grep "^clean"
toolgym select runs/teacher --gates "clean,no-user-fault,turns<=12" --out runs/chosen
toolgym train --list | grep -E "^[a-z]+  "
