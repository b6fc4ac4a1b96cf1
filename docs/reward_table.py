"""Prints the table of docs/rewards.md: four rewards on five runs of one task.

python docs/reward_table.py
"""

from judge.scoring.judges.rules import judge
from judge.scoring.verifier import verify
from sandbox.kit.message import Message, ToolCall
from sandbox.runtime import registry
from sandbox.runtime.registry import get_domain
from sandbox.runtime.session import Session
from sandbox.runtime.trajectory import Trajectory


def played(calls: list[ToolCall]) -> Trajectory:
    """A run of tau2-bench's first retail task: one call a turn, then a report."""
    task = get_domain("retail").task("0", "tau2")
    messages = [Message(role="user", content="I want to exchange two things.")]
    with Session("retail", task=task) as session:
        for index, call in enumerate(calls):
            named = call.model_copy(update={"id": f"call_{index}"})
            text = session.call(call.name, call.arguments).text
            messages += [
                Message(role="assistant", tool_calls=(named,)),
                Message(role="tool", content=text, tool_call_id=named.id, name=call.name),
            ]
        messages += [
            Message(role="assistant", content="Your exchange has been requested."),
            Message(role="user", content="Thanks. ###STOP###"),
        ]
        log, diff = tuple(session.log), tuple(session.diff())
    return Trajectory(task=task, messages=tuple(messages), calls=log, diff=diff, termination="user_stop")


def runs() -> dict[str, Trajectory]:
    """The five runs."""
    gold = list(get_domain("retail").task("0", "tau2").gold)
    final = gold[-1]
    assert isinstance(final.arguments, dict)
    crossed = final.arguments | {"item_ids": final.arguments["item_ids"][:1]}
    crossed |= {"new_item_ids": final.arguments["new_item_ids"][:1]}
    typo = gold[2].model_copy(update={"name": "get_order_detail"})
    return {
        "the gold run": played(gold),
        "gold after a misspelt tool": played([*gold[:2], typo, *gold[2:]]),
        "gold, every look-up done three times": played([*(c for call in gold[:-1] for c in [call] * 3), final]),
        "one of two items exchanged": played([*gold[:-1], final.model_copy(update={"arguments": crossed})]),
        "nothing but a sentence": played([]),
    }


def table() -> str:
    """The Markdown table."""
    lines = ["| run | verifier | tarl | prove | toolrl | tier |", "| --- | --- | --- | --- | --- | --- |"]
    for name, trajectory in runs().items():
        verdict, scores = verify(trajectory), judge(trajectory)
        values = []
        for reward in ("tarl", "prove", "toolrl", "tier"):
            values.append(f"{registry.load('rewards', reward)(trajectory, verdict=verdict, scores=scores).total:.2f}")
        lines.append(f"| {name} | {'passed' if verdict.passed() else 'failed'} | {' | '.join(values)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
