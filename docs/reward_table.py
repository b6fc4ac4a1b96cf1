"""Prints the table of docs/rewards.md: the rewards of thirteen runs of one task.

python docs/reward_table.py
"""

from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

WISH = "I am Yusuf Rossi, my zip code is 19122. I want to exchange the keyboard and the thermostat of order #W2378156."
ASKED = ("I will exchange both items of the order as you said. Shall I go ahead?", "Yes, please.")
AGAIN = ("Shall I go ahead?", "Yes, please.")
DONE = ("Your exchange has been requested.", "Thanks. ###STOP###")
DENIED = ("I am sorry, that is not possible; nothing has been changed.", "That's a pity. ###STOP###")
Step = ToolCall | tuple[str, str]
"""A call, or words of the agent with the user's answer."""


def played(*steps: Step) -> Trajectory:
    """A run of tau2-bench's first retail task, one step a turn."""
    task = get_domain("retail").task("0", "tau2")
    messages = [Message(role="user", content=WISH)]
    with Session("retail", task=task) as session:
        for index, step in enumerate(steps):
            if isinstance(step, tuple):
                messages += [Message(role="assistant", content=step[0]), Message(role="user", content=step[1])]
                continue
            named = step.model_copy(update={"id": f"call_{index}"})
            text = session.call(step.name, step.arguments).text
            messages += [
                Message(role="assistant", tool_calls=(named,)),
                Message(role="tool", content=text, tool_call_id=named.id, name=step.name),
            ]
        log, diff = tuple(session.log), tuple(session.diff())
    return Trajectory(task=task, messages=tuple(messages), calls=log, diff=diff, termination="user_stop")


def runs() -> dict[str, Trajectory]:
    """The runs."""
    *reads, final = get_domain("retail").task("0", "tau2").gold
    assert isinstance(final.arguments, dict)
    arguments = final.arguments
    crossed = arguments | {name: arguments[name][:1] for name in ("item_ids", "new_item_ids")}
    one = final.model_copy(update={"arguments": crossed})
    typo = reads[2].model_copy(update={"name": "get_order_detail"})
    thrice = [call for call in reads for _ in range(3)]
    return {
        "find out, look up, propose, exchange, report": played(*reads, ASKED, final, DONE),
        "the same after a misspelt tool": played(*reads[:2], typo, *reads[2:], ASKED, final, DONE),
        "every look-up three times": played(*thrice, ASKED, final, DONE),
        "asked for a yes three times": played(*reads, ASKED, AGAIN, AGAIN, final, DONE),
        "exchanged, and denied": played(*reads, ASKED, final, DENIED),
        "exchanged without asking": played(*reads, final, DONE),
        "exchanged without looking": played(final, DONE),
        "one of two items exchanged": played(*reads, ASKED, one, DONE),
        "everything looked up, then refused": played(*reads, DENIED),
        "everything looked up, reported, not done": played(*reads, DONE),
        "29 times the same look-up": played(*[reads[0]] * 29),
        "nothing but a report": played(DONE),
        "nothing but a refusal": played(DENIED),
    }


def table() -> str:
    """The Markdown table."""
    lines = ["| run | verifier | tarl | prove | toolrl | tier |", "| --- | --- | --- | --- | --- | --- |"]
    for name, trajectory in runs().items():
        verdict, scores = verify(trajectory), judge(trajectory)
        values = []
        for reward in ("tarl", "prove", "toolrl", "tier"):
            values.append(f"{registry.load('rewards', reward)(trajectory, verdict=verdict, scores=scores).total:.2f}")
        found = "failed" if not verdict.passed() else "clean" if verdict.clean else "passed"
        lines.append(f"| {name} | {found} | {' | '.join(values)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
