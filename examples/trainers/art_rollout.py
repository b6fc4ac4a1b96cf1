"""ART: groups of trajectories of a world from any OpenAI-compatible endpoint, ready for `model.train`.

pip install openpipe-art==0.5.18 -e . -c constraints.txt                # in an environment of its own
toolgym local-model --port 8001                                         # or any other endpoint
python examples/trainers/art_rollout.py --base-url http://127.0.0.1:8001/v1 --model smollm2-135m
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from toolgym.sandbox.kit.errors import ToolgymError

try:
    from toolgym.training.adapters.art import rollout_of, scenarios  # first, as it says what is missing
except ToolgymError as error:
    sys.exit(str(error))

import art


async def groups(given: argparse.Namespace) -> list[art.TrajectoryGroup]:
    model = art.Model(
        name="agent",
        project="toolgym",
        inference_base_url=given.base_url,
        inference_api_key=given.key,
        inference_model_name=given.model,
    )
    rollout = rollout_of(given.world, reward=given.reward)
    tasks = scenarios(given.world, given.split, count=given.tasks)
    wanted = (art.TrajectoryGroup(rollout(model, task) for _ in range(given.trials)) for task in tasks)
    return await art.gather_trajectory_groups(wanted, max_exceptions=given.tasks * given.trials)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--key", default="none")
    parser.add_argument("--world", default="kiosk")
    parser.add_argument("--split", default="test")
    parser.add_argument("--tasks", type=int, default=3)
    parser.add_argument("--trials", type=int, default=2)
    parser.add_argument("--reward", default="outcome", help="any of our rewards")
    for group in asyncio.run(groups(parser.parse_args(words))):
        for trajectory in group.trajectories:
            print(trajectory.metadata["task"], trajectory.reward, trajectory.metadata["termination"])
        for broken in group.exceptions:
            print("left out:", broken.message)


if __name__ == "__main__":
    try:
        main()
    except ToolgymError as error:
        sys.exit(f"art_rollout.py: {error}")
