"""Measures how often callers are authenticated by voice with at most one repetition of theirs; prints a table.

    python benchmarks/speech_auth.py --callers 100 --tts kokoro \
        --tts-options folder=package/voices voices=af_heart,am_michael --out auth.jsonl

Each caller is a customer of the generated retail tasks who says who they are to the `rules` agent through the cascade;
the conversation ends when the agent no longer asks for it, or when the caller has repeated it once. Authenticated means
that the agent looked up the caller's own record. Callers whose first and last name are both in the lexicon of the
gym's listener are counted apart from those of whom one is not. Rows are kept in `--out`, and a run is resumed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from toolgym.judge.authentication import authentication
from toolgym.sandbox.kit.message import STOP, Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import User, UserPlayer, make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.speech.names import lexicon
from toolgym.sandbox.speech.settings import SpeechSettings
from toolgym.sandbox.speech.voice_call import SpeechRuntime
from toolgym.sandbox.users.topics import IDENTITY, topics_of

_ANSWERS = 2
"""What a caller says about themselves at most: once, and once more when asked."""
_OPENING = "Hello."
_SEED = 11
"""Draws the callers."""


class Caller:
    """A user who leaves when it is no longer about who they are."""

    def __init__(self, user: User) -> None:
        self._user = user

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> UserPlayer:
        """Start a call."""
        return _Calling(self._user.open(task, seed=seed, tools=tools))


class _Calling:
    def __init__(self, player: UserPlayer) -> None:
        self._player = player

    async def reply(self, messages: Sequence[Message]) -> Message:
        asked = [message.content or "" for message in messages if message.role == "assistant"]
        if not asked:
            return Message(role="user", content=_OPENING)
        if len(asked) > _ANSWERS or not self._is_asked_who(asked[-1]):
            return Message(role="user", content=STOP)
        return await self._player.reply(messages)

    def _is_asked_who(self, text: str) -> bool:
        return bool(set(topics_of("retail").in_text(parse_act(text).asked)) & set(IDENTITY))


def callers(count: int, split: str) -> list[Task]:
    """Tasks of as many different callers: another person, or another way of saying who they are."""
    generate = get_domain("retail").open_data("own").generate
    assert generate is not None
    found: dict[tuple[str, ...], Task] = {}
    for task in generate(_SEED, 8 * count, split):
        if all(fact.on_request for fact in task.facts):
            found.setdefault(tuple(str(fact.value) for fact in task.facts), task)
    return list(found.values())[:count]


async def call(runtime: SpeechRuntime, task: Task) -> dict[str, Any]:
    """One conversation as a row."""
    domain, voice_call = get_domain("retail"), runtime.voice_call(task, 0)
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, voice_call.user(Caller(make_user("scripted"))), seed=0)
        played = await run_episode(episode, voice_call.agent(make_agent("rules")))
    result = authentication(played)
    assert result is not None
    first, last, key = (str(fact.value) for fact in task.facts[:3])
    return {
        "caller": caller_of(task),
        "channel": runtime.settings.channel,
        "by": "e-mail" if "@" in key else "zip",
        "listed": first.lower() in lexicon("first") and last.lower() in lexicon("last"),
        "found": result.found,
        "times": result.times,
        "lookups": sum(record.name.startswith("find") for record in played.calls),
        "heard": [utterance.heard for utterance in voice_call.utterances],
    }


def caller_of(task: Task) -> str:
    """A caller's name in the rows."""
    first, last, key = (str(fact.value) for fact in task.facts[:3])
    return f"{first} {last}, {key}"


def runtime_of(options: argparse.Namespace, channel: str) -> SpeechRuntime:
    """The engines that the options name, with one channel."""
    tts, asr = (dict(pair.split("=", 1) for pair in pairs) for pairs in (options.tts_options, options.asr_options))
    settings = SpeechSettings(
        agent_input="asr",
        channel=channel,
        tts=options.tts,
        tts_options=tts,
        asr_options=asr,
        speech_cache=options.speech_cache,
    )
    return SpeechRuntime(settings)


def rows_of(path: Path | None) -> list[dict[str, Any]]:
    """What an earlier run has measured."""
    if path is None or not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def cells(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows by what they have in common."""
    yield "all", list(rows)
    yield "names in the lexicon", [row for row in rows if row["listed"]]
    yield "a name not in it", [row for row in rows if not row["listed"]]
    for way in ("e-mail", "zip"):
        yield f"by {way}", [row for row in rows if row["by"] == way]


def show(rows: Sequence[dict[str, Any]]) -> Table:
    """The rows for the terminal."""
    table = Table(box=None, pad_edge=False)
    for head in ("channel", "callers", "number", "at once %", "after one repetition %", "look-ups"):
        table.add_column(head)
    for channel in dict.fromkeys(row["channel"] for row in rows):
        for label, some in cells([row for row in rows if row["channel"] == channel]):
            if some:
                shares = [sum(row["found"] and row["times"] <= times for row in some) / len(some) for times in (1, 2)]
                looked = sum(row["lookups"] for row in some) / len(some)
                table.add_row(channel, label, str(len(some)), *(f"{share:.1%}" for share in shares), f"{looked:.1f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callers", type=int, default=100)
    parser.add_argument("--split", default="test", help="whose customers call; what is tuned is tuned on train")
    parser.add_argument("--channels", nargs="+", default=["clean", "telephone"])
    parser.add_argument("--tts", default="piper")
    parser.add_argument("--tts-options", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--asr-options", nargs="*", default=[], metavar="KEY=VALUE")
    parser.add_argument("--speech-cache", default=None, help="folder in which utterances are kept for all channels")
    parser.add_argument("--out", type=Path, default=None, help="JSON lines of the rows, written after each")
    options = parser.parse_args()
    rows, tasks = rows_of(options.out), callers(options.callers, options.split)
    done = {(row["caller"], row["channel"]) for row in rows}
    runtimes = {channel: runtime_of(options, channel) for channel in options.channels}
    with Progress() as bar:
        line = bar.add_task("calls", total=len(tasks) * len(runtimes))
        for task in tasks:
            for channel, runtime in runtimes.items():
                if (caller_of(task), channel) not in done:
                    rows.append(asyncio.run(call(runtime, task)))
                    if options.out:
                        with options.out.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(rows[-1]) + "\n")
                bar.advance(line)
    console = Console(width=120)
    console.print(f"{options.tts}, {len(tasks)} callers, {platform.machine()}, Python {platform.python_version()}")
    console.print(show(rows))


if __name__ == "__main__":
    main()
