"""Measures every installed voice with every installed recogniser, clean and through each channel; prints a table.

    python benchmarks/speech.py --utterances 200 --channel-utterances 40 --out speech.json

What is said are messages of the scripted user in generated retail conversations, in the spoken form of the gym; errors
are counted by `toolgym.sandbox.speech.metrics`. `ids` are order numbers and zip codes, said in groups, and once more in
smaller groups and slower where they were misheard. Speed is processor seconds per second of speech, so that other work
on the machine changes little. Rows appear as they are measured; nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.speech import metrics
from toolgym.sandbox.speech.audio import seconds
from toolgym.sandbox.speech.channel import Channel
from toolgym.sandbox.speech.engines import ASR, TTS, Voice, make_asr, make_tts
from toolgym.sandbox.speech.text_normalization import identifiers, speakable

CHANNELS = ("clean", "telephone", "noise:10", "noise:0", "room:0.4", "loss:0.05", "speed:1.15")
RECOGNISERS: dict[str, dict[str, Any]] = {"base": {"model": "base"}, "tiny": {"model": "tiny"}}


@dataclass
class Count:
    """What one cell of the table adds up."""

    words: int = 0
    wrong: int = 0
    ids: int = 0
    missed: int = 0
    audio: float = 0.0
    speaking: float = 0.0
    hearing: float = 0.0


def utterances(count: int) -> list[str]:
    """Messages of the scripted user in text episodes of the rules agent, drawn with a fixed seed."""
    settings = EvalSettings.model_validate({"env": "ToolRetail-v0", "split": "test"})
    said = [
        message.content.replace(STOP, "").strip()
        for trajectory in unspoken(settings)
        for message in trajectory.messages
        if message.role == "user" and message.content
    ]
    every = sorted({text for text in said if len(text.split()) >= 3})
    return random.Random(0).sample(every, min(count, len(every)))


def short_ids(count: int) -> list[str]:
    """Order numbers and zip codes of tasks."""
    found = set()
    for task in get_domain("retail").tasks("train", "own"):
        for fact in [*task.facts, *(fact for goal in task.goals for fact in goal.facts)]:
            if fact.name in {"order_id", "zip"}:
                found.add((fact.name, str(fact.value)))
    drawn = random.Random(0).sample(sorted(found), count)
    return [
        f"The order number is {value}." if name == "order_id" else f"My zip code is {value}." for name, value in drawn
    ]


def voices(options: argparse.Namespace) -> Iterator[tuple[str, TTS]]:
    """The engines that are installed, by the name in the table."""
    wanted: list[tuple[str, str, dict[str, Any]]] = [
        ("piper joe", "piper", {}),
        ("espeak en-us", "espeak", {"voices": "en-us"}),
        ("kokoro jf_alpha", "kokoro", {"voices": "jf_alpha"}),
    ]
    if options.kokoro_voices:
        wanted.append(("kokoro af_heart", "kokoro", {"voices": "af_heart", "folder": options.kokoro_voices}))
    wanted = [entry for entry in wanted if not options.voices or entry[0] in options.voices]
    for label, name, settings in wanted:
        try:
            yield label, make_tts(name, settings)
        except ToolgymError as error:
            print(f"{label}: left out. {error}", file=sys.stderr)


def measure(texts: list[str], tts: TTS, asr: ASR, channel: Channel, kept: dict[str, Any]) -> Count:
    """One cell: say, carry, hear, count."""
    count = Count()
    for index, text in enumerate(texts):
        spoken = speakable(text)
        started = time.process_time()
        if spoken not in kept:
            kept[spoken] = tts.speak(spoken, Voice(tts.voices[0])), time.process_time() - started
        samples, spent = kept[spoken]
        carried = channel.carry(samples, str(index))
        started = time.process_time()
        heard = asr.transcribe(carried)
        count.hearing += time.process_time() - started
        count.speaking += spent
        count.audio += seconds(carried)
        reference = metrics.words(spoken)
        count.words += len(reference)
        count.wrong += metrics.errors(reference, metrics.words(heard))
        count.ids += len(set(identifiers(text)))
        count.missed += len(metrics.missed(text, heard))
    return count


def repaired(texts: list[str], tts: TTS, asr: ASR) -> tuple[float, float]:
    """The share of ids misheard at first, and after one repetition."""
    first = [text for text in texts if _missed(text, tts, asr, speakable(text), 1.0)]
    again = [text for text in first if _missed(text, tts, asr, speakable(text, lambda _: "slow"), 0.9)]
    return len(first) / len(texts), len(again) / len(texts)


def _missed(text: str, tts: TTS, asr: ASR, spoken: str, rate: float) -> bool:
    return bool(metrics.missed(text, asr.transcribe(tts.speak(spoken, Voice(tts.voices[0], rate)))))


def row(
    label: str, hearer: str, channel: str, said: int, count: Count, ids: tuple[float, float] | None
) -> dict[str, Any]:
    """A cell as a row of the table."""
    return {
        "voice": label,
        "recogniser": hearer,
        "channel": channel,
        "utterances": said,
        "wer": count.wrong / count.words,
        "ids": count.ids,
        "id_errors": count.missed / count.ids if count.ids else None,
        "first": ids[0] if ids else None,
        "repaired": ids[1] if ids else None,
        "speak": count.speaking / count.audio,
        "hear": count.hearing / count.audio,
    }


def show(rows: list[dict[str, Any]]) -> Table:
    """The rows for the terminal."""
    table = Table(box=None, pad_edge=False)
    heads = (
        "voice",
        "recogniser",
        "channel",
        "said",
        "WER %",
        "ids wrong %",
        "order/zip % first",
        "after one repetition",
    )
    for head in (*heads, "speak s/s", "hear s/s"):
        table.add_column(head)
    for cell in rows:
        shares = [cell[name] for name in ("wer", "id_errors", "first", "repaired")]
        text = ["-" if share is None else f"{100 * share:.1f}" for share in shares]
        table.add_row(
            cell["voice"],
            cell["recogniser"],
            cell["channel"],
            str(cell["utterances"]),
            *text,
            f"{cell['speak']:.3f}",
            f"{cell['hear']:.3f}",
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--utterances", type=int, default=200, help="utterances on the clean channel")
    parser.add_argument("--channel-utterances", type=int, default=40, help="utterances on each other channel")
    parser.add_argument("--ids", type=int, default=40, help="order numbers and zip codes")
    parser.add_argument("--voices", nargs="+", default=None, help="voices by their names in the table; all by default")
    parser.add_argument("--kokoro-voices", default=None, help="folder with Kokoro's English voices")
    parser.add_argument("--out", type=Path, default=None, help="JSON file of the rows, written after each")
    options = parser.parse_args()
    texts, ids = utterances(options.utterances), short_ids(options.ids)
    hearers = {name: make_asr("whisper", settings) for name, settings in RECOGNISERS.items()}
    rows: list[dict[str, Any]] = []
    with Progress() as bar:
        for label, tts in voices(options):
            kept: dict[str, Any] = {}
            line = bar.add_task(label, total=len(CHANNELS) * len(hearers))
            for channel in CHANNELS:
                for hearer, asr in hearers.items():
                    some = texts if channel == "clean" else texts[: options.channel_utterances]
                    spelled = repaired(ids, tts, asr) if channel == "clean" else None
                    rows.append(
                        row(label, hearer, channel, len(some), measure(some, tts, asr, Channel(channel), kept), spelled)
                    )
                    bar.advance(line)
                    if options.out:
                        options.out.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    console = Console(width=150)
    console.print(
        f"{os.cpu_count()} cores, {platform.machine()}, {len(texts)} utterances, Python {platform.python_version()}"
    )
    console.print(show(rows))


if __name__ == "__main__":
    main()
