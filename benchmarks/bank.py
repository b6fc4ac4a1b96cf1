"""How many sentences of the bank the scripted user and the verifier understand, by file and world.

    python benchmarks/bank.py [FILE ...] [--held-out | --rows] [--bank FOLDER]

A row says what an agent writes to the user of one frozen task and what a person would make of it. Each is played
against the scripted user in two styles, from the row's wish on, and is right when it is in both. Of the held-out part
only counts are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from toolgym.judge.scoring.communication import refuses_with_reason
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Task, read_tasks
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.nlg_templates import Act, is_act
from toolgym.sandbox.language.told import tells, tells_all
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.value_words import fact_in_words

FOLDER = Path(__file__).parent / "bank"
STYLES = ("terse", "chatty")
PARTS = (
    "tune", "tune_2", "tune_3", "tune_4", "tune_5", "tune_6", "tune_7", "tune_8", "tune_9", "tune_10", "tune_11",
    "tune_12", "tune_13", "tune_14", "tune_15", "tune_16", "tune_17", "tune_18", "tune_19", "tune_20", "tune_21",
    "tune_22", "tune_23", "tune_24", "tune_25", "tune_26", "tune_27", "tune_28",
)  # fmt: skip
HELD_OUT = (
    "held_out_4", "held_out_8", "held_out_10", "held_out_11", "held_out_12", "held_out_13", "held_out_14",
    "held_out_15", "held_out_16", "held_out_17", "held_out_counts",
)  # fmt: skip
FILES = (
    "confirmations", "wrong_proposals", "reports", "not_reports", "questions", "refusals_heard", "not_refusals",
    "refusals_reason", "no_reasons", "answers", "wrong_answers", "dialogues",
)  # fmt: skip
ASKED_BACK = "with a question"
"""Confirmations to which the user says yes, or puts a closed question and says yes after a plain "Yes."."""
Row = dict[str, Any]


@cache
def _tasks_of(folder: Path) -> dict[str, Task]:
    """The tasks of a bank by name, read once for all its parts."""
    return {task.id: task for task in read_tasks(folder / "tasks.jsonl")}


class Bank:
    """Rows and the tasks that they speak of.

    Args:
        folder: with `tasks.jsonl` and a folder for each part.
        part: which of the two.
    """

    def __init__(self, folder: Path, part: str) -> None:
        if not (folder / "tasks.jsonl").is_file():
            raise SystemExit(f"There is no bank in {folder}: it needs tasks.jsonl and folders such as tune/.")
        self.tasks = _tasks_of(folder)
        self._folder = folder / part

    def rows(self, name: str) -> list[Row]:
        """The rows of a file; none where it is not there."""
        path = self._folder / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []

    def task(self, row: Row) -> Task:
        """The task as its user has it from the row's wish on; wishes count from 1."""
        task = self.tasks[row["task"]]
        return task.model_copy(update={"goals": task.goals[int(row.get("wish", 1)) - 1 :]})


def talk(task: Task, lines: Sequence[str], style: str, *, with_device: bool = False) -> list[str]:
    """What the user says: its opening, then the answer to each line; nothing more once it has left.

    With its device, a user that has one does with it what it is told, on the task's own state; the agent's tools are
    not called.
    """

    async def run(session: Session) -> list[str]:
        tools = session.domain.user_tools.to_openai() if with_device else []
        player = make_user("scripted", {"style": style}).open(task, seed=1, tools=tools)
        messages = [await player.reply([])]
        for line in lines:
            messages.append(Message(role="assistant", content=line))
            while (reply := await player.reply(messages)).tool_calls:
                messages += with_results(reply, session, len(messages))
            messages.append(reply)
            if STOP in (reply.content or ""):
                break
        return [message.content or "" for message in messages if message.role == "user" and not message.tool_calls]

    with Session(task.domain, task=task) as session:
        return asyncio.run(run(session))


def with_results(reply: Message, session: Session, place: int) -> list[Message]:
    """A user's calls of its own tools, and what they say."""
    calls = tuple(
        call.model_copy(update={"id": f"{place}-{n}", "by": "user"}) for n, call in enumerate(reply.tool_calls)
    )
    results = [session.call(call.name, call.arguments, by="user").text for call in calls]
    tools = [
        Message(role="tool", content=text, tool_call_id=call.id, name=call.name)
        for call, text in zip(calls, results, strict=True)
    ]
    return [reply.model_copy(update={"tool_calls": calls}), *tools]


# --- what a reply is ---


def lines_before(row: Row) -> list[str]:
    """What the agent has said before, where a row tells it."""
    before = row.get("after") or row.get("before") or []
    return [before] if isinstance(before, str) else list(before)


def goes_on(task: Task, reply: str) -> bool:
    """Whether the present wish is over for the user."""
    return STOP in reply or any(goal.utterance in reply for goal in task.goals[1:])


def gives_away(task: Task, reply: str, heard: str) -> bool:
    """Whether a reply tells what is told on request alone and nobody has said."""
    held = [fact for fact in (*task.facts, *task.goals[0].facts) if fact.on_request]
    return any(
        _words(fact).casefold() in reply.casefold()
        and not _was_said(_words(fact), heard.casefold())
        and str(fact.value) not in heard
        for fact in held
    )


def _was_said(words: str, heard: str) -> bool:
    """Whether the figures and names of some words have been said, or one word that means something."""
    parts = re.findall(r"[\w'-]+", words)
    marked = [part for part in parts if (part[0].isupper() and part != "I") or any(map(str.isdigit, part))]
    if marked:
        return all(part.casefold() in heard for part in marked)
    telling = [part for part in parts if part.casefold() not in ("my", "the", "a", "an")]
    if all(len(part) <= 4 for part in telling):  # "my gift card" of "your gift card"
        return bool(telling) and all(part.casefold() in heard for part in telling)
    return any(part.casefold() in heard for part in telling if len(part) > 4)


def agrees(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """A yes that gives nothing away; one who changes their mind says so instead."""
    goal = task.goals[0]
    if goal.revised_to is not None and not row.get("after"):
        return goal.revised_to.utterance in said[-1]
    return is_yes(said[-1]) and not gives_away(task, said[-1], heard)


def declines(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """No yes, and the wish is not taken as fulfilled."""
    is_declined = task.goals[0].outcome == "answered" and is_act(said[-1], "no_offer")
    return not is_yes(said[-1]) and not re.match(r"\W*yes\b", said[-1], re.I) and (STOP not in said[-1] or is_declined)


def settles(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """The wish is over, or what is still to be told is asked for."""
    return len(said) == len(lines_before(row)) + 2 and (
        goes_on(task, said[-1]) or (bool(task.goals[0].must_communicate) and asks_for_rest(said[-1]))
    )


def stays(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """The wish is not over."""
    return not goes_on(task, said[-1]) and not asks_for_rest(said[-1])


def asks_for_rest(reply: str) -> bool:
    """Whether a reply takes the wish as done and asks for what is still to be told."""
    return is_act(reply, "missing") or is_act(reply, "left_open")


def answers(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """Everything that was asked for is told, and nothing else that is held back."""
    reply = said[-1].casefold()
    told = [words for name in row["tells"] for words in _named(name, task)]
    rest = reply
    for words in told:  # the "noor" of "noor.tan5791@example.net" gives no name away
        rest = rest.replace(words, " ")
    return all(any(words in reply for words in _named(name, task)) for name in row["tells"]) and not any(
        words in rest for name in row["not"] for words in _named(name, task)
    )


def _named(name: str, task: Task) -> list[str]:
    """How a fact may be told, in lower case; of items and addresses the first line or the names are enough."""
    return [_words(fact).casefold() for fact in (*task.goals[0].facts, *task.facts) if fact.name == name]


def _words(fact: Fact) -> str:
    return fact.words or fact_in_words(fact.value)


_TAKEN: tuple[Act, ...] = ("accept", "insist", "human")


def takes_as_refusal(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """The user accepts, insists, asks for a person, leaves or goes on to what it wants instead."""
    fallback = task.goals[0].fallback
    return (
        any(is_act(said[-1], act) for act in _TAKEN)
        or goes_on(task, said[-1])
        or (fallback is not None and fallback.utterance in said[-1])
    )


def takes_as_none(row: Row, task: Task, said: list[str], heard: str) -> bool:
    """The user does none of that, unless all that it asked for has been told."""
    if task.goals[0].outcome == "answered" and tells_all([row["says"]], task.goals[0], _now(task)):
        return True  # the wish is over for a better reason
    return not takes_as_refusal(row, task, said, heard)


def asks(reply: str) -> bool:
    """Whether a reply is a closed question that holds the user's own wish."""
    return is_act(reply, "sure_meant") or is_act(reply, "sure_only")


def asks_back(row: Row, task: Task) -> bool:
    """Whether a proposal that gets no yes gets a closed question in each style, and the plain yes to that gets one."""
    lines = [*lines_before(row), row["says"]]
    for style in STYLES:
        said = talk(task, [*lines, "Yes."], style)
        heard = "\n".join([*said[:-1], *lines])
        first = len(lines)
        is_agreed = agrees(row, task, said[: first + 1], heard)
        if not (is_agreed or (asks(said[first]) and agrees(row, task, said, heard))):
            return False
    return True


REPLIES = {
    "confirmations": agrees,
    "wrong_proposals": declines,
    "reports": settles,
    "not_reports": stays,
    "questions": answers,
    "refusals_heard": takes_as_refusal,
    "not_refusals": takes_as_none,
}


# --- whole conversations ---

_YES, _OVER = (
    re.compile(r"says (?:yes|that this is (?:right|correct))", re.I),
    re.compile(r"\b(?:(?<!after )(?<!\bin )all(?! right\b)|settled|nothing)\b"),
)
_FAREWELL = re.compile(
    r"(?:says (?:goodbye|no|that (?:is|was) all|that (?:it|this) is)|thanks|no, ends|"
    r"(?:tells|says) whether it works)\b",
    re.I,
)
"""What a user need not say any more that has said goodbye."""
_AT_A_LOSS: tuple[Act, ...] = ("unsure", "unknown", "which", "stuck", "give_up")
"""After these nothing counts as told before."""
_DECLINES = re.compile(r"(?:declines|turns down)\b", re.I)
"""What is turned down need not be named."""
_VALUE = re.compile(r"\S*\d[\w.,@:/-]*\w|\S*\d")


def conversation(row: Row, task: Task, style: str) -> list[str]:
    """The replies of a conversation that are not what the row describes: its figures, its yes, its goodbye."""
    opening, *said = talk(task, row["says"], style, with_device=True)
    pairs = zip(row["wants"], [*said, *[""] * len(row["wants"])], strict=False)
    left = len(said) if said and STOP in said[-1] else len(row["wants"])
    return [
        f"{wants} -> {reply}"
        for place, (wants, reply) in enumerate(pairs)
        if not (
            _is_as_described(wants, reply, " ".join([opening, *said[:place]]))
            or (place >= left and _FAREWELL.match(wants))
        )
    ]


def _is_as_described(wants: str, reply: str, before: str) -> bool:
    """Whether a reply is what a row wants; a figure that the user has told `before` it need not say again."""
    if _YES.match(wants):
        return is_yes(reply)
    if _OVER.search(wants) and not _VALUE.search(wants):
        return STOP in reply
    knows_nothing = any(is_act(reply, act) for act in _AT_A_LOSS)
    heard = (reply if knows_nothing else f"{before} {reply}").casefold()
    told = _DECLINES.match(wants) or all(value.strip(".,").casefold() in heard for value in _VALUE.findall(wants))
    return bool(reply and told)


def is_right(name: str, row: Row, task: Task) -> tuple[bool, str]:
    """Whether a row is understood in every style, and the reply that shows it."""
    if name in TOLD:
        return TOLD[name](row, task), ""
    if name == "dialogues":
        odd = [each for style in STYLES for each in conversation(row, task, style)]
        return not odd, "; ".join(odd)
    lines = [*lines_before(row), row["says"]]
    reply = ""
    for style in STYLES:
        said = talk(task, lines, style)
        reply = said[-1]
        if not REPLIES[name](row, task, said, "\n".join([*said[:-1], *lines])):
            return False, reply
    return True, reply


# --- the verifier ---


def _now(task: Task) -> datetime:
    return (task.now or get_domain(task.domain).now).replace(tzinfo=None)


def _is_told(row: Row, task: Task) -> bool:
    goal = task.goals[0]
    due = goal.final.must_communicate
    value = next((text for text in due if text == row["value"]), row["value"])  # the task's own says what it counts
    return tells([row["says"]], value, _now(task), about=goal.utterance, rest=due)


def _is_reasoned(row: Row, task: Task) -> bool:
    return refuses_with_reason(task, task.goals[0], [row["says"]])


TOLD: dict[str, Callable[[Row, Task], bool]] = {
    "refusals_reason": _is_reasoned,
    "no_reasons": lambda row, task: not _is_reasoned(row, task),
    "answers": _is_told,
    "wrong_answers": lambda row, task: not _is_told(row, task),
}


# --- tables ---

_FILE, _WORLD = 20, 16
"""Columns that a table needs for the names of files, and for each world; a narrow terminal wraps whole lines."""


def counted(bank: Bank, show: bool, only: Sequence[str]) -> Iterator[tuple[str, str, int, int]]:
    """Each file and world with the rows that are right and all of them."""
    for name in only or FILES:
        right, every, asked = Counter[str](), Counter[str](), Counter[str]()
        for row in bank.rows(name):
            task = bank.task(row)
            fine, reply = is_right(name, row, task)
            every[task.domain] += 1
            right[task.domain] += fine
            asked[task.domain] += name == "confirmations" and (fine or asks_back(row, task))
            if show and not fine:
                print(json.dumps({"file": name, **row, "reply": reply}, ensure_ascii=False))
        for world in sorted(every):
            yield name, world, right[world], every[world]
        if name == "confirmations":
            yield from ((ASKED_BACK, world, asked[world], every[world]) for world in sorted(every))


def table(rows: list[tuple[str, str, int, int]]) -> Table:
    """The counts, a line a file."""
    worlds = sorted({world for _, world, _, _ in rows})
    made = Table("file", "all", *worlds)
    for name in dict.fromkeys(name for name, *_ in rows):
        found = {world: (right, every) for file, world, right, every in rows if file == name}
        whole = tuple(map(sum, zip(*found.values(), strict=True)))
        made.add_row(name, *(f"{pair[0]}/{pair[1]}" if pair else "-" for pair in (whole, *map(found.get, worlds))))
    return made


def markdown(folder: Path, parts: Sequence[str]) -> str:
    """What users answer to proposals, over several parts."""
    right, every = Counter[str](), Counter[str]()
    for part in parts:
        for name, _, fine, of in counted(Bank(folder, part), False, ("confirmations", "wrong_proposals")):
            right[name] += fine
            every[name] += of
    wrong, good = "wrong_proposals", "confirmations"
    return (
        f"- Sentences that nothing was tuned on: the scripted user says no yes to {right[wrong]} of {every[wrong]} "
        f"wrong proposals; to right ones it says yes at once {right[good]} times of {every[good]}, after one question "
        f"of its own {right[ASKED_BACK]} times."
    )


def main() -> None:
    """Print the counts of one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", choices=[[], *FILES], help="which files (all)")
    parser.add_argument("--bank", type=Path, default=FOLDER, help="another folder with tasks.jsonl and its parts")
    parser.add_argument("--held-out", action="store_true", help="the parts that nothing was tuned on; counts only")
    parser.add_argument("--part", default="tune", choices=PARTS, help="which part may be read (tune)")
    parser.add_argument("--rows", action="store_true", help="list the rows of the tune part that are not right")
    parser.add_argument(
        "--markdown", action="store_true", help="one line for a page, over all parts that are asked for"
    )
    given = parser.parse_args()
    if given.markdown:
        print(markdown(given.bank, HELD_OUT if given.held_out else (given.part,)))
        return
    if given.rows and given.held_out:
        raise SystemExit("Rows of the held-out part are not listed; leave out --rows or --held-out.")
    for part in HELD_OUT if given.held_out else (given.part,):
        rows = list(counted(Bank(given.bank, part), given.rows, given.files))
        worlds = len({world for _, world, _, _ in rows})
        Console(width=max(Console().width, _FILE + _WORLD * (worlds + 1))).print(part, table(rows), sep="\n")


if __name__ == "__main__":
    main()
