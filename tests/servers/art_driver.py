"""Plays one task over ART, in the environment of ART: the kinds of its messages, the reward, the metrics.

Then it is the example whose file and arguments follow: ART takes ten seconds to load.
"""

import asyncio
import runpy
import sys

import art

from toolgym.training.adapters.art import rollout_of, scenarios

model = art.Model(
    name="a", project="p", inference_api_key="none", inference_base_url=sys.argv[1], inference_model_name="agent"
)
trajectory = asyncio.run(rollout_of("kiosk", sampling={"temperature": 0})(model, scenarios("kiosk", "test")[0]))
kinds = [each["role"] if isinstance(each, dict) else type(each).__name__ for each in trajectory.messages_and_choices]
print(*kinds)
print(trajectory.reward, trajectory.metrics["passed"])
print(*trajectory.metrics)
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
