"""verl's own tool agent on one of our worlds: writes the tools' configuration and the rows, and prints the settings.

pip install -e ".[train]" -c constraints.txt
python examples/trainers/verl_tools.py --world retail --out runs/verl-retail
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from toolgym.sandbox.kit.errors import ToolgymError

try:
    import toolgym.training.adapters.verl as adapter  # first, as it says what is missing
except ToolgymError as error:
    sys.exit(str(error))

import pyarrow as pa
import pyarrow.parquet as pq

SETTINGS = """\
python -m verl.trainer.main_ppo \\
  data.train_files={folder}/train.parquet data.val_files={folder}/train.parquet \\
  actor_rollout_ref.rollout.multi_turn.tool_config_path={folder}/tools.yaml \\
  actor_rollout_ref.rollout.multi_turn.max_tool_response_length=100000 \\
  actor_rollout_ref.rollout.multi_turn.max_assistant_turns=30 \\
  reward.custom_reward_function.path={module} reward.custom_reward_function.name=compute_score \\
  +reward.custom_reward_function.reward_kwargs.reward={reward} \\
  actor_rollout_ref.model.path=..."""


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="kiosk")
    parser.add_argument("--split")
    parser.add_argument("--count", type=int)
    parser.add_argument("--reward", default="outcome", help="any of our rewards")
    parser.add_argument("--out", type=Path, required=True, help="a folder")
    given = parser.parse_args(words)
    given.out.mkdir(parents=True, exist_ok=True)
    adapter.write_tools(given.world, given.out / "tools.yaml")
    rows = adapter.rows(given.world, given.split, count=given.count)
    pq.write_table(pa.Table.from_pylist(rows), given.out / "train.parquet")
    print(SETTINGS.format(folder=given.out, module=adapter.__file__, reward=given.reward))


if __name__ == "__main__":
    try:
        main()
    except ToolgymError as error:
        sys.exit(f"verl_tools.py: {error}")
