"""A world in SkyRL-gym: rows for SkyRL's trainer, and one conversation played by hand.

    pip install -e ".[skyrl]"
    python examples/trainers/skyrl_env.py --world kiosk --out rows.parquet

SkyRL makes environments in processes of its own: call `skyrl.register(...)` inside its remote entry point too, before
the trainer is made.
"""

from __future__ import annotations

import argparse
import sys

from toolgym.sandbox.kit.errors import ToolgymError

try:
    from toolgym.training.adapters import skyrl  # first, as it says what is missing
except ToolgymError as error:
    sys.exit(str(error))

import pyarrow as pa
import pyarrow.parquet as pq
import skyrl_gym


def main(words: list[str] | None = None) -> float:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="kiosk")
    parser.add_argument("--split")
    parser.add_argument("--reward", default="outcome", help="any of our rewards")
    parser.add_argument("--out", help="a parquet file for the rows")
    given = parser.parse_args(words)
    skyrl.register(reward=given.reward)
    rows = skyrl.rows(given.world, given.split)
    if given.out:
        pq.write_table(pa.Table.from_pylist(rows), given.out)
        print(f"{given.out}: {len(rows)} rows")
    env = skyrl_gym.make(rows[0]["env_class"], extras=rows[0])
    conversation, _ = env.init(rows[0]["prompt"])
    print("customer:", conversation[-1]["content"])
    done, reward = False, 0.0
    while not done:
        said = input("you: ")
        output = env.step(said)
        for message in output["observations"]:
            print("customer:" if "<tool_response>" not in message["content"] else "tool:", message["content"])
        done, reward = output["done"], output["reward"]
    env.close()
    print("reward:", reward)
    return reward


if __name__ == "__main__":
    try:
        main()
    except ToolgymError as error:
        sys.exit(f"skyrl_env.py: {error}")
