"""Where the rule judge puts its -1 when one error was planted into a correct run.

    python benchmarks/planted_errors.py --count 1000

Takes conversations in which the `rules` agent passed retail training tasks, plants one error into each, re-executes the
calls so that results and changed rows are real, and asks the rule judge. A skipped confirmation breaks the policy and
not the outcome: the run still passes, so the judge owes that turn a 0 and no -1 anywhere.
"""

import argparse
import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.progress import track
from rich.table import Table

from judge.evaluation.evaluate import Evaluation
from judge.evaluation.settings import EvalSettings
from judge.scoring.judges.rules import judge
from judge.scoring.verifier import verify
from sandbox.kit.message import Message, ToolCall
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory

Planted = tuple[Trajectory, int]
"""A run with one error, and the turn it was planted into."""


def correct_runs(count: int) -> list[Trajectory]:
    """Passed conversations of the rules agent in which something was written."""
    evaluation = Evaluation(EvalSettings(env="retail", agent="rules", split="train", tasks=(str(count),)))
    found: list[Trajectory] = []
    asyncio.run(evaluation.play_all(((task, 0) for task in evaluation.tasks), found.append))
    found.sort(key=lambda trajectory: trajectory.task.id)
    return [t for t in found if verify(t).passed() and any(record.wrote for record in t.calls)]


def rebuilt(trajectory: Trajectory, messages: Sequence[Message]) -> Trajectory:
    """The run with these messages: every agent call executed anew, tool messages and diff replaced."""
    calls = {call.id: call for message in messages for call in message.tool_calls}
    with Session(trajectory.task.domain, task=trajectory.task) as session:
        kept = []
        for message in messages:
            if message.role == "tool":
                call = calls[message.tool_call_id or ""]
                text = session.call(call.name, call.arguments, by=call.by).text
                message = message.model_copy(update={"content": text})
            kept.append(message)
        log, diff = tuple(session.log), tuple(session.diff())
    return trajectory.model_copy(update={"messages": tuple(kept), "calls": log, "diff": diff})


def writes(trajectory: Trajectory) -> list[int]:
    """Positions of the messages that call a write tool."""
    wrote = {record.name for record in trajectory.calls if record.wrote}
    return [i for i, m in enumerate(trajectory.messages) if any(call.name in wrote for call in m.tool_calls)]


def turn_at(messages: Sequence[Message], position: int) -> int:
    """The turn of the assistant message at a position."""
    return sum(message.role == "assistant" for message in messages[:position])


def changed(trajectory: Trajectory, position: int, **arguments: object) -> Planted:
    """The run with other arguments in one call."""
    messages = list(trajectory.messages)
    call = messages[position].tool_calls[0]
    assert isinstance(call.arguments, dict)
    wrong = call.model_copy(update={"arguments": call.arguments | arguments})
    messages[position] = messages[position].model_copy(update={"tool_calls": (wrong,)})
    return rebuilt(trajectory, messages), turn_at(messages, position)


def wrong_variant(trajectory: Trajectory, rng: random.Random) -> Planted | None:
    """Another available variant in an exchange or a change of items."""
    for position in writes(trajectory):
        arguments = trajectory.messages[position].tool_calls[0].arguments
        if isinstance(arguments, dict) and "new_item_ids" in arguments:
            with Session(trajectory.task.domain, task=trajectory.task) as session:
                rows = session._database.query(
                    "SELECT other.item_id FROM variants AS mine JOIN variants AS other USING (product_id) "
                    "WHERE mine.item_id = :item AND other.available AND other.item_id NOT IN (:item, :old)",
                    item=arguments["new_item_ids"][0],
                    old=arguments["item_ids"][0],
                )
            if rows:
                other = [rng.choice(rows)[0], *arguments["new_item_ids"][1:]]
                return changed(trajectory, position, new_item_ids=other)
    return None


def wrong_order(trajectory: Trajectory, rng: random.Random) -> Planted | None:
    """Another order of the same customer, where the world lets the call through."""
    for position in writes(trajectory):
        call = trajectory.messages[position].tool_calls[0]
        if call.name not in {"cancel_pending_order", "modify_pending_order_address"}:
            continue
        assert isinstance(call.arguments, dict)
        with Session(trajectory.task.domain, task=trajectory.task) as session:
            rows = session._database.query(
                "SELECT other.order_id FROM orders AS mine JOIN orders AS other USING (user_id) "
                "WHERE mine.order_id = :order AND other.status = 'pending' AND other.order_id <> :order",
                order=call.arguments["order_id"],
            )
        if rows:
            return changed(trajectory, position, order_id=rng.choice(rows)[0])
    return None


def extra_write(trajectory: Trajectory, rng: random.Random) -> Planted | None:
    """A needless change of the profile's address right after a write."""
    position = rng.choice(writes(trajectory)) + 2
    user = next(
        (r.value["user_id"] for r in trajectory.calls if isinstance(r.value, dict) and "user_id" in r.value), None
    )
    if user is None or trajectory.task.family == "profile":
        return None
    address = {
        "address1": "1 Elm Street",
        "address2": "",
        "city": "Reno",
        "state": "NV",
        "country": "USA",
        "zip": "89501",
    }
    call = ToolCall(name="modify_user_address", arguments={"user_id": user, **address}, id="planted")
    added = [
        Message(role="assistant", tool_calls=(call,)),
        Message(role="tool", content="", tool_call_id="planted", name=call.name),
    ]
    messages = [*trajectory.messages[:position], *added, *trajectory.messages[position:]]
    return rebuilt(trajectory, messages), turn_at(messages, position)


def missing_write(trajectory: Trajectory, rng: random.Random) -> Planted | None:
    """A write left out: the turn that then reports it is the wrong one."""
    position = rng.choice(writes(trajectory))
    messages = [*trajectory.messages[:position], *trajectory.messages[position + 2 :]]
    report = next(
        (i for i in range(position, len(messages)) if messages[i].role == "assistant" and messages[i].content), None
    )
    return None if report is None else (rebuilt(trajectory, messages), turn_at(messages, report))


def skipped_confirmation(trajectory: Trajectory, rng: random.Random) -> Planted | None:
    """A write without asking: the proposal and the yes before it are left out."""
    position = rng.choice(writes(trajectory))
    asked = position - 2
    if asked < 1 or trajectory.messages[asked].role != "assistant" or trajectory.messages[asked].tool_calls:
        return None
    messages = [*trajectory.messages[:asked], *trajectory.messages[position:]]
    return rebuilt(trajectory, messages), turn_at(messages, asked)


ERRORS: dict[str, Callable[[Trajectory, random.Random], Planted | None]] = {
    "wrong variant": wrong_variant,
    "wrong order": wrong_order,
    "extra write": extra_write,
    "missing write": missing_write,
    "skipped confirmation": skipped_confirmation,
}


def found_at(planted: Trajectory, turn: int, kind: str) -> bool:
    """Whether the judge marked the planted turn: -1, or 0 alone for a skipped confirmation."""
    scores = judge(planted).scores
    assert scores is not None
    if kind == "skipped confirmation":
        return scores[turn] == 0 and -1 not in scores
    return scores[turn] == -1


def measure(count: int, *, seed: int = 0) -> dict[str, tuple[int, int]]:
    """Errors found and planted, by kind."""
    rng, tally, hits = random.Random(seed), Counter[str](), defaultdict(int)
    runs = correct_runs(min(2000, count))
    kinds = list(ERRORS)
    while tally.total() < count:
        for run in track(runs, description="planting errors", transient=True):
            kind = kinds[tally.total() % len(kinds)]
            planted = next((p for k in (kind, *rng.sample(kinds, 5)) if (p := ERRORS[(kind := k)](run, rng))), None)
            if planted is None:
                continue
            tally[kind] += 1
            hits[kind] += found_at(*planted, kind)
            if tally.total() >= count:
                break
    return {kind: (hits[kind], tally[kind]) for kind in kinds}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    result = measure(parser.parse_args().count)
    table = Table("planted error", "runs", "marked on the planted turn", "share")
    for kind, (hit, runs) in result.items():
        table.add_row(kind, str(runs), str(hit), f"{hit / runs:.1%}" if runs else "-")
    hit, runs = (sum(pair[index] for pair in result.values()) for index in (0, 1))
    table.add_row("all", str(runs), str(hit), f"{hit / runs:.1%}")
    Console().print(table)


if __name__ == "__main__":
    main()
