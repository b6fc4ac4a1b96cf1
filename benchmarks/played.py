"""Conversations that a language model played as an honest agent with the scripted user, replayed with today's user.

    python benchmarks/played.py [first | second | third] [--rows]

The model saw a world's policy and tools and the user's words alone. It played 60 tasks, after the user had been mended
60 others, and some more after it had been mended again. When all was over it was shown what each customer wanted and
marked every reply that no sensible person would have given. Printed are the replies, those marked, and how many of
either the user words otherwise today; what it says now nobody has judged, and after a changed reply the agent's next
lines may no longer fit. Beside them stands how many conversations ended right, by the rows that the model's recorded
calls change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence

from bank import with_results
from bank_rows import FOLDER, Row, read_lines
from rich.console import Console
from rich.table import Table

from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Task, read_tasks
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.end_state import ends_right

WAVES = ("first", "second", "third")
STYLE = "chatty"


def said(task: Task, events: Sequence[Row]) -> tuple[list[str], bool]:
    """What the user says today to each of the agent's lines, nothing once it has left, and whether it ends right."""

    async def run(session: Session) -> tuple[list[str], bool]:
        tools = session.domain.user_tools.to_openai()
        player = make_user("scripted", {"style": STYLE}).open(task, seed=1, tools=tools)
        messages = [await player.reply([])]
        replies: list[str] = []
        for event in events:
            if "call" in event:
                session.call(event["call"], event["arguments"])
            elif replies and STOP in replies[-1]:
                replies.append(STOP)
            else:
                messages.append(Message(role="assistant", content=event["says"]))
                while (reply := await player.reply(messages)).tool_calls:
                    messages += with_results(reply, session, len(messages))
                messages.append(reply)
                replies.append(reply.content or "")
        return replies, ends_right(task, session.diff(), session.new_ids)

    with Session(task.domain, task=task) as session:
        return asyncio.run(run(session))


def group_of(task: Task) -> str:
    """The world of a task and the version of its split."""
    return f"{task.domain}, version {2 if '-v2-' in task.id else 1}"


def main() -> None:
    """Print a line for each world, and on demand each marked reply beside today's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("waves", nargs="*", choices=[[], *WAVES], help="which conversations (all)")
    parser.add_argument("--rows", action="store_true", help="list the marked replies with what is said today")
    given = parser.parse_args()
    tasks = {task.id: task for task in read_tasks(FOLDER / "tasks.jsonl.gz")}
    for wave in given.waves or WAVES:
        counts: dict[str, Counter[str]] = {}
        for conversation in read_lines(FOLDER / "played" / f"{wave}.jsonl.gz"):
            task = tasks[conversation["task"]]
            counted = counts.setdefault(group_of(task), Counter())
            lines = [event for event in conversation["events"] if "says" in event]
            replies, is_right = said(task, conversation["events"])
            counted.update({"conversations": 1, "ended right": int(is_right)})
            for event, now in zip(lines, replies, strict=True):
                then = event["reply"].rsplit("] ", 1)[-1]
                odd = "odd" if "wanted" in event else "fine"
                counted.update({"replies": 1, odd: 1, f"{odd} changed": int(now != then)})
                if given.rows and odd == "odd":
                    print(json.dumps({**event, "task": task.id, "now": now}, ensure_ascii=False))
        Console().print(_table(wave, counts))


def _table(wave: str, counts: dict[str, Counter[str]]) -> Table:
    made = Table(
        "world", "talks", "ended right", "replies", "odd", "odd, otherwise today", "fine, otherwise today", title=wave
    )
    columns = ("conversations", "ended right", "replies", "odd", "odd changed", "fine changed")
    of_version = (
        (f"all of version {n}", sum((each for name, each in counts.items() if name.endswith(f" {n}")), Counter()))
        for n in (1, 2)
    )
    for name, counted in [*sorted(counts.items()), *of_version, ("all", sum(counts.values(), Counter()))]:
        made.add_row(name, *(str(counted[each]) for each in columns))
    return made


if __name__ == "__main__":
    main()
