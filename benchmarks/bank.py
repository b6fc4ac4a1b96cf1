"""How many sentences of the bank the scripted user and the verifier understand, and which ones there are.

    python benchmarks/bank.py count [FILE ...] [--part PART] [--hand HAND] [--kind KIND] [--sample N] [--kinds]
    python benchmarks/bank.py show [--part PART] [--file FILE] [--kind KIND] [--find TEXT] [-n N]
    python benchmarks/bank.py pack ROWS [...]

A row says what an agent writes to the user of one frozen task and what a person would make of it. Each is played
against the scripted user in two styles, from the row's wish on, and is right when it is in both. Of the validation part
only counts are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from bank_rows import FILES, FOLDER, HELD_OUT, PARTS, Bank, Row, drawn, in_lines, packed, read_lines, shown
from rich.console import Console
from rich.table import Table

from toolgym.judge.scoring.communication import refuses_with_reason
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.language.nlg_templates import Act, is_act
from toolgym.sandbox.language.told import tells, tells_all
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.value_words import fact_in_words

STYLES = ("terse", "chatty")
ASKED_BACK = "with a question"
"""Confirmations to which the user says yes, or puts a closed question and says yes after a plain "Yes."."""


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


# --- counted ---

_FILE, _WORLD = 20, 16
"""Columns that a table needs for the names of files, and for each world; a narrow terminal wraps whole lines."""


def counted(
    bank: Bank, rows: Iterable[Row], *, by_kind: bool = False, show: bool = False
) -> Iterator[tuple[str, str, int, int]]:
    """Each file, or file and kind, and world with the rows that are right and all of them."""
    right, every, asked = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    for row in rows:
        name, task = row["file"], bank.task(row)
        label = f"{name}: {row['kind']}" if by_kind and row["kind"] else name
        fine, reply = is_right(name, row, task)
        every[label, task.domain] += 1
        right[label, task.domain] += fine
        asked[task.domain] += label == "confirmations" and (fine or asks_back(row, task))
        if show and not fine:
            print(json.dumps({**row, "reply": reply}, ensure_ascii=False))
    for label, world in sorted(every, key=lambda each: (FILES.index(each[0].split(":")[0]), each)):
        yield label, world, right[label, world], every[label, world]
    worlds = sorted(world for label, world in every if label == "confirmations")
    yield from ((ASKED_BACK, world, asked[world], every["confirmations", world]) for world in worlds)


def table(rows: list[tuple[str, str, int, int]]) -> Table:
    """The counts, a line a file."""
    worlds = sorted({world for _, world, _, _ in rows})
    made = Table("file", "all", *worlds)
    for name in dict.fromkeys(name for name, *_ in rows):
        found = {world: (right, every) for file, world, right, every in rows if file == name}
        whole = tuple(map(sum, zip(*found.values(), strict=True)))
        made.add_row(name, *(f"{pair[0]}/{pair[1]}" if pair else "-" for pair in (whole, *map(found.get, worlds))))
    return made


# --- commands ---


def count(given: argparse.Namespace) -> None:
    """Print how many rows are right, by file and world."""
    if given.rows and given.part in HELD_OUT:
        raise SystemExit(f"Of {given.part} only counts are printed; leave out --rows.")
    if given.sample:
        rows = [
            row
            for row in drawn(given.bank, given.sample, (given.part,))
            if not given.files or row["file"] in given.files
        ]
    else:
        rows = [row for name in given.files or FILES for row in Bank(given.bank, given.part).rows(name)]
    wanted = shown(rows, {"hand": given.hand, "kind": given.kind, "world": given.world})
    found = list(counted(Bank(given.bank, given.part), wanted, by_kind=given.kinds, show=given.rows))
    worlds = len({world for _, world, _, _ in found})
    Console(width=max(Console().width, _FILE + _WORLD * (worlds + 1))).print(given.part, table(found), sep="\n")


def show(given: argparse.Namespace) -> None:
    """Print rows, and of how many they are the first."""
    if given.part in HELD_OUT:
        raise SystemExit(f"Rows of {given.part} are not listed; choose one of {', '.join(PARTS)}.")
    every = (row for name in FILES for row in Bank(given.bank, given.part).rows(name))
    columns = {name: getattr(given, name) for name in ("file", "hand", "kind", "task", "world")}
    found = list(shown(every, columns, given.find))
    for row in found[: given.number]:
        print(in_lines(row), end="\n\n")
    print(f"{min(given.number, len(found))} of {len(found)} rows")


def pack(given: argparse.Namespace) -> None:
    """Write the rows of some files, and nothing else, as the bank's."""
    content = packed(row for path in given.paths for row in read_lines(path))
    (given.bank / "rows.jsonl.gz").write_bytes(content)


def main() -> None:
    """Count, show or pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--bank", type=Path, default=FOLDER, help="another folder with tasks.jsonl.gz and rows.jsonl.gz"
    )
    commands = parser.add_subparsers(required=True, metavar="count | show | pack")
    counts = commands.add_parser("count", help="how many rows are understood, by file and world")
    counts.set_defaults(run=count)
    counts.add_argument("files", nargs="*", choices=[[], *FILES], metavar="FILE", help="which files (all)")
    counts.add_argument("--sample", type=int, default=0, help="so many rows at most, the same share of each file")
    counts.add_argument("--kinds", action="store_true", help="a line for each kind")
    counts.add_argument("--rows", action="store_true", help="list the rows that are not right")
    shows = commands.add_parser("show", help="rows with what a person would make of them")
    shows.set_defaults(run=show)
    shows.add_argument("--file", choices=FILES, help="confirmations, wrong_proposals, ... (all)")
    shows.add_argument("--task", help="the name of a task")
    shows.add_argument("--find", default="", metavar="TEXT", help="a text that the row holds, in any case")
    shows.add_argument("-n", "--number", type=int, default=20, help="how many at most (20)")
    for each in (counts, shows):
        each.add_argument("--part", default="tuned", choices=(*PARTS, *HELD_OUT), help="which part (tuned)")
        each.add_argument("--hand", help="who wrote it: the name of the part that it was before, such as tune_8")
        each.add_argument("--kind", help="what it tries, such as 'side remark'")
        each.add_argument("--world", help="of one world alone, such as banking")
    packs = commands.add_parser("pack", help="write rows as the bank's, sorted and compressed")
    packs.set_defaults(run=pack)
    packs.add_argument("paths", nargs="+", type=Path, metavar="ROWS", help="JSON lines, packed or not")
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
