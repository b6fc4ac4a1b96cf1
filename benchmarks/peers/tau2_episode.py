"""Times tau2-bench's own environment, in tau2's own virtual environment; prints one JSON object of seconds.

Not imported by toolgym: `benchmarks/episode.py` runs it with the interpreter named by TOOLGYM_TAU2_PYTHON.
"""

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from loguru import logger
from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.evaluator.evaluator_env import EnvironmentEvaluator

logger.remove()


def seconds(work: Callable[[], object], repeat: int) -> float:
    """Median wall seconds of `work` over `repeat` runs after one warm-up."""
    work()
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def resident() -> float:
    """Resident memory of this process in MiB (Linux)."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Measure the domain named on the command line with the calls given as JSON on standard input."""
    domain, calls = sys.argv[1], json.load(sys.stdin)
    module = importlib.import_module(f"tau2.domains.{domain}.environment")
    tasks = {task.id: task for task in module.get_tasks()}

    def call(name: str, arguments: dict, by: str) -> ToolCall:
        return ToolCall(id="1", name=name, arguments=arguments, requestor="user" if by == "user" else "assistant")

    def opened() -> object:
        """A world as the task prepares it."""
        world, initial = module.get_environment(), task.initial_state
        if initial is not None:
            world.set_state(initial.initialization_data, initial.initialization_actions, [])
        return world

    steps = [call(**step) for step in calls["episode"]]
    read, write = call(**calls["read"]), call(**calls["write"])
    task = tasks[calls["task"]]
    environment = opened()

    messages = []
    for step in steps:
        answer = environment.get_response(step)
        kind = UserMessage if step.requestor == "user" else AssistantMessage
        messages += [kind(role=step.requestor, tool_calls=[step]), answer]

    def verify() -> None:
        EnvironmentEvaluator.calculate_reward(module.get_environment, task, messages)

    def episode() -> None:
        world = opened()
        for step in steps:
            world.get_response(step)
        verify()

    def first_write() -> float:
        world = opened()
        started = time.perf_counter()
        world.get_response(write)
        return time.perf_counter() - started

    result = {
        "open a session": seconds(opened, 9),
        "one read": seconds(lambda: environment.get_response(read), 400),
        "one write": statistics.median(first_write() for _ in range(9)),
        "verify": seconds(verify, 5),
        "whole 10-call episode": seconds(episode, 5),
    }
    before = resident()
    held = [opened() for _ in range(5)]
    result["memory per live session"] = (resident() - before) / len(held)
    print(json.dumps(result))


main()
