"""How many proposals of recorded models the scripted user understands: real sentences with the calls that they meant.

    python benchmarks/recorded_proposals.py FILE_OR_FOLDER ... [--missed] [--confirmed]

Reads results of tau-bench and tau2-bench that you have downloaded; nothing of them comes with toolgym. Where an agent's
message is answered by a plain yes and followed by writes that succeed, message and calls belong together. The user of a
wish for exactly this call should say yes to that message, at once or after one closed question; the user of the same
wish with one thing changed that the message names should not. Wishes are made of the worlds' declared goals where one
can say the call, else the recorded task's prose is the wish (no changed ones there, since the prose says all).
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bank import STYLES, asks, talk
from recorded_changes import changes
from recorded_wishes import imported_wish, owner_of, wish_of
from rich.console import Console
from rich.table import Table

from toolgym.judge.interop.reading import read_file
from toolgym.judge.interop.recorded import Recorded
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.registry import get_domain

READS = {
    "retail": {"get_order_details", "get_product_details", "find_user_id_by_email", "find_user_id_by_name_zip"},
    "airline": {"get_reservation_details", "search_direct_flight", "book_reservation"},
}
"""Worlds whose recorded runs can be read, by tools that only they have."""
_AGREES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure|okay|ok|correct|absolutely|perfect|great|i confirm|confirmed|sounds good|go ahead|"
    r"that's (?:right|correct|fine|perfect)|please (?:proceed|go ahead))\b",
    re.I,
)
_ADDS = re.compile(
    r"\?|\b(?:but|however|instead|actually|also|except|only|if|unless|wait|another|as well|rather|additionally|"
    r"before)\b",
    re.I,
)
_LONGEST = 40
"""Words of a plain yes."""
_CHOICE = re.compile(
    r"\b(?:which (?:one|of|option|item)|would you (?:prefer|rather)|or would you|option [12ab]\b)", re.I
)


@dataclass(frozen=True)
class Proposal:
    """What an agent proposed and then did.

    Attributes:
        file: where it stands.
        world: retail or airline.
        said: the agent's message.
        calls: the writes that followed the user's yes, all of which succeeded.
        record: the recorded task, in tau2-bench's form.
    """

    file: str
    world: str
    said: str
    calls: tuple[ToolCall, ...]
    record: Mapping[str, Any]


# --- harvest ---


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and the JSON files in folders.

    Raises:
        BadInput: there is none.
    """
    found = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not found:
        raise BadInput("There is no .json file in what was named; give results of tau-bench or tau2-bench.")
    return found


def harvest(file: Path) -> Iterator[Proposal]:
    """The proposals of a result file that were agreed to and carried out.

    Raises:
        BadInput: there is no such file, or it holds no recorded runs.
    """
    content = read_file(file)
    for episode in content.episodes:
        called = {call.name for message in episode.messages for call in message.tool_calls}
        world = content.domain or next((name for name, reads in READS.items() if called & reads), None)
        if world in READS:
            yield from _proposals(file.stem, str(world), episode)


def consents(text: str) -> bool:
    """Whether a user's message is a yes that asks and adds nothing."""
    return bool(_AGREES.match(text)) and not _ADDS.search(text) and len(text.split()) <= _LONGEST


def _proposals(file: str, world: str, episode: Recorded) -> Iterator[Proposal]:
    messages = episode.messages
    for place, message in enumerate(messages[:-2]):
        said = message.content or ""
        is_asked = message.role == "assistant" and said and not message.tool_calls and not _CHOICE.search(said)
        answer = messages[place + 1]
        if is_asked and answer.role == "user" and consents(answer.content or ""):
            calls = _done(world, messages[place + 2 :])
            if calls:
                yield Proposal(file, world, said, calls, episode.task)


def _done(world: str, later: Iterable[Message]) -> tuple[ToolCall, ...]:
    """The writes up to the user's next message; none where something failed."""
    tools, found = get_domain(world).tools, list[ToolCall]()
    for message in later:
        if message.role == "user":
            break
        if message.role == "tool" and (message.content or "").startswith("Error"):
            return ()
        found += [call for call in message.tool_calls if call.name in tools and tools[call.name].kind == "write"]
    return tuple(found)


# --- playing ---


def answered(task: Task, said: str) -> tuple[str, str]:
    """What a user makes of a proposal in all its styles, the worst of them: yes, question or no; and its reply."""
    worst, shown = "yes", ""
    for style in STYLES:
        replies = talk(task, [said, "Yes."], style)
        if is_yes(replies[1]):
            continue
        asked = asks(replies[1]) and len(replies) > 2 and is_yes(replies[2])
        if not asked:
            return "no", replies[1]
        worst, shown = "question", replies[1]
    return worst, shown


def wrongly_answered(task: Task, said: str) -> tuple[str, str]:
    """What a user makes of a proposal that is not what it wants, the worst of all styles: yes, question or no.

    A closed question names the user's own wish, so that it is no yes to the proposal.
    """
    replies = [talk(task, [said], style)[-1] for style in STYLES]
    yes = next((reply for reply in replies if is_yes(reply)), None)
    asked = next((reply for reply in replies if asks(reply)), None)
    return ("yes", yes) if yes is not None else ("question", asked) if asked is not None else ("no", replies[0])


def wrong_wishes(proposal: Proposal, name: str) -> Iterator[tuple[str, Task]]:
    """Wishes that the proposal contradicts or does not fulfil, with what is changed."""
    call, said = proposal.calls[0], proposal.said.casefold()
    for number, change in enumerate(changes(proposal.world, call, str(owner_of(proposal.world, call)))):
        if change.said and not any(text and text in said for text in change.said):
            continue
        if change.not_said and change.not_said in said:
            continue
        task = wish_of(proposal.world, change.call, f"{name}-{number}")
        if task is not None:
            yield change.what, task


def counted(proposals: Iterable[Proposal], missed: bool, confirmed: bool) -> dict[tuple[str, str, str], Counter[str]]:
    """What users made of the proposals, by world, sort of wish and file."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    seen: set[tuple[str, str]] = set()
    for number, proposal in enumerate(proposals):
        key = (proposal.said, repr(proposal.calls))
        if key in seen:
            continue
        seen.add(key)
        if len(proposal.calls) > 1:
            counts[proposal.world, "several writes", proposal.file]["left out"] += 1
            continue
        name = f"recorded-{number}"
        declared = wish_of(proposal.world, proposal.calls[0], name)
        task = declared or imported_wish(proposal.world, proposal.record, proposal.calls[0], name)
        found = counts[proposal.world, "declared" if declared else "prose", proposal.file]
        fit, reply = answered(task, proposal.said)
        found[fit] += 1
        if missed and fit != "yes":
            _show(proposal, fit, task, reply)
        for what, wrong in wrong_wishes(proposal, name) if declared else ():
            heard, reply = wrongly_answered(wrong, proposal.said)
            found[f"wrong {heard}"] += 1
            if confirmed and heard == "yes":
                _show(proposal, f"confirmed, another {what} is wanted", wrong, reply)
    return counts


def _show(proposal: Proposal, fit: str, task: Task, reply: str) -> None:
    calls = [{call.name: call.arguments} for call in proposal.calls]
    row = {"fit": fit, "file": proposal.file, "wants": task.goals[0].utterance[:300], "calls": calls}
    print(json.dumps({**row, "says": proposal.said, "reply": reply}, ensure_ascii=False))


# --- the table ---


def interval(right: int, every: int) -> str:
    """A share with its 95 % interval after Wilson (1927), in percent."""
    if not every:
        return "-"
    z, share = 1.96, right / every
    middle, spread = share + z * z / (2 * every), z * (share * (1 - share) / every + z * z / (4 * every**2)) ** 0.5
    low, high = (abs(middle + sign * spread) / (1 + z * z / every) for sign in (-1, 1))
    return f"{100 * share:.0f} ({100 * low:.0f} to {100 * high:.0f})"


def table(counts: Mapping[tuple[str, str, str], Counter[str]]) -> Table:
    """A line for each world, sort of wish and file, and one for all files of both."""
    made = Table("world", "wish", "file", "right", "yes", "or asked", "%", "wrong", "no", "or asked", "%")
    whole: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (world, sort, file), found in sorted(counts.items()):
        whole[world, sort] += found
        if sort != "several writes":
            made.add_row(world, sort, file, *_cells(found))
    for (world, sort), found in sorted(whole.items()):
        cells = _cells(found) if sort != "several writes" else (f"{found['left out']} left out", *[""] * 7)
        made.add_row(world, sort, "all", *cells)
    return made


def _cells(found: Counter[str]) -> tuple[str, ...]:
    right = found["yes"] + found["question"] + found["no"]
    wrong = found["wrong yes"] + found["wrong question"] + found["wrong no"]
    got, none = found["yes"] + found["question"], found["wrong question"] + found["wrong no"]
    shares = (str(right), str(found["yes"]), str(got), interval(got, right))
    return (*shares, str(wrong), str(found["wrong no"]), str(none), interval(none, wrong))


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="result files of tau-bench or tau2-bench, or folders")
    parser.add_argument("--missed", action="store_true", help="list right proposals that get no yes at once")
    parser.add_argument("--confirmed", action="store_true", help="list wrong proposals that get a yes")
    given = parser.parse_args()
    try:
        proposals = [proposal for file in files_of(given.paths) for proposal in harvest(file)]
        if not proposals:
            raise BadInput("No proposal in these runs was agreed to and carried out; nothing can be counted.")
    except BadInput as error:
        raise SystemExit(str(error)) from None
    Console(width=130).print(table(counted(proposals, given.missed, given.confirmed)))


if __name__ == "__main__":
    main()
