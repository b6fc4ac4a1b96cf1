"""The call between a talking user and a listening agent: speaks, carries, records, transcribes, and keeps the account.

A `SpeechRuntime` holds a run's engines; a `VoiceCall` is one episode's: it wraps the user so that its words become
audio, and the agent so that it gets audio or a transcript and never the words. Recordings are kept by `recordings`.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import STOP, Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.chat import WAV
from toolgym.sandbox.runtime.approval import Approve
from toolgym.sandbox.runtime.info import SpeechRecord, UtteranceRecord
from toolgym.sandbox.runtime.roles import Agent, AgentPlayer, Briefing, Usage, User, UserPlayer
from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.speech import metrics
from toolgym.sandbox.speech.audio import Samples, require_speech, seconds, write_wav
from toolgym.sandbox.speech.cache import SpeechCache
from toolgym.sandbox.speech.channel import channel_for
from toolgym.sandbox.speech.disfluency import add_disfluency
from toolgym.sandbox.speech.engines import ASR, Voice, make_asr, make_tts
from toolgym.sandbox.speech.inverse_text_normalization import read
from toolgym.sandbox.speech.recordings import save
from toolgym.sandbox.speech.settings import SpeechSettings
from toolgym.sandbox.speech.text_normalization import Verbalization, identifiers, speakable

Value = TypeVar("Value")

MAX_CHARS = 4000
"""Characters a user may say at once; more would last longer than an utterance may."""
NOTHING_HEARD = "[Nothing could be heard.]"
_WAYS: tuple[tuple[Verbalization, float], ...] = (("grouped", 1.0), ("slow", 0.9), ("slow", 0.78), ("nato", 0.9))
"""How something is said the first time and from then on, the last three in turn, and how much slower that is."""
_SPELL = re.compile(r"\bspell", re.IGNORECASE)
"""What makes people spell names and addresses at once."""


@dataclass
class Utterance:
    """One spoken user message.

    Attributes:
        text: what was meant, as written.
        spoken: the words that the engine spoke.
        clean: the voice itself.
        carried: what comes out of the channel.
        name: of the recording of `carried`.
        heard: the transcript of `carried`, read back; None where nobody transcribed it.
        missed: the ids that a recogniser does not find in `clean`; None where it was not checked.
    """

    text: str
    spoken: str
    clean: Samples
    carried: Samples
    name: str
    heard: str | None = None
    missed: list[str] | None = None


class SpeechRuntime:
    """The engines of a run, and the few threads they work in.

    Args:
        settings: which engines and how they sound.
    """

    def __init__(self, settings: SpeechSettings) -> None:
        self.settings = settings
        channel_for(settings.channel, Task(id="", domain=""), 0)  # a mistake in it is said before anything is played
        self.tts = SpeechCache(make_tts(settings.tts, settings.tts_options), settings.speech_cache)
        self.asr: ASR | None = None if settings.asr == "none" else make_asr(settings.asr, settings.asr_options)
        if self.asr is None and settings.agent_input == "asr":
            raise BadInput("The cascade (agent_input asr) needs a recogniser: name one with --asr, such as whisper.")
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="toolgym-speech")

    def admit(self, agent: Agent, name: str) -> None:
        """Refuse an agent that could not understand anything (BadInput names the cascade)."""
        if self.settings.agent_input == "audio" and getattr(agent, "hears", "text") == "text":
            raise BadInput(
                f"The agent {name!r} reads text and hears nothing: put a recogniser before it with --agent-input asr "
                "(the cascade), or choose an agent that takes audio."
            )

    def voice_call(self, task: Task, seed: int, run: Path | None = None) -> VoiceCall:
        """A call for one episode; recordings go to the run's folder."""
        return VoiceCall(self, task, seed, run)

    async def work(self, function: Callable[..., Value], *arguments: Any) -> tuple[Value, float]:
        """Run a computation in one of the threads; returns its value and the seconds it took, waiting left out."""

        def timed() -> tuple[Value, float]:
            started = time.perf_counter()
            return function(*arguments), time.perf_counter() - started

        return await asyncio.get_running_loop().run_in_executor(self._threads, timed)

    def close(self) -> None:
        """Let the threads go."""
        self._threads.shutdown()


@cache
def _open_runtime(settings: str, process: int) -> SpeechRuntime:
    return SpeechRuntime(SpeechSettings.model_validate_json(settings))


def open_runtime(settings: SpeechSettings) -> SpeechRuntime:
    """The speech engines with these settings, opened once per process: engines are large."""
    return _open_runtime(settings.model_dump_json(), os.getpid())  # threads do not survive a fork


@dataclass
class VoiceCall:
    """One episode's call.

    Attributes:
        runtime: the engines.
        task: whose user talks.
        seed: the episode's seed.
        run: the folder of the run; None keeps no recordings.
        utterances: what was said, in order.
        identified: the agent is told who the user is, and need not find out.
    """

    runtime: SpeechRuntime
    task: Task
    seed: int
    run: Path | None = None
    utterances: list[Utterance] = field(default_factory=list)
    identified: bool = False

    def __post_init__(self) -> None:
        self.voice = voice_for(self.runtime.tts.engine.voices, self.task)
        self.channel = channel_for(self.runtime.settings.channel, self.task, self.seed)
        self._names = [str(fact.value) for fact in self.task.facts if fact.name.endswith("name")]
        self._said: Counter[str] = Counter()
        self.seconds_speaking = self.seconds_listening = 0.0
        self._by_name: dict[str, Utterance] = {}

    # --- the two sides ---

    def user(self, user: User) -> User:
        """The user, talking in this call."""
        return _TalkingUser(user, self)

    def agent(self, agent: Agent) -> Agent:
        """The agent, listening to this call."""
        return _ListeningAgent(agent, self)

    async def say(self, text: str, asked: str = "") -> Utterance | None:
        """Speak a message; None where it holds no words.

        Args:
            text: the message as written.
            asked: what it answers; who is asked to spell does so at once.

        Raises:
            InfrastructureError: boundary `user`; the engine gave no usable audio.
        """
        plain = text.replace(STOP, " ").strip()
        if not any(letter.isalnum() for letter in plain):
            return None
        if len(plain) > MAX_CHARS:
            raise InfrastructureError(
                "user", f"The user says {len(plain)} characters at once; {MAX_CHARS} are allowed."
            )
        number = len(self.utterances)
        settings = self.runtime.settings
        rng = Random(f"{self.seed}:{self.task.seed}:{self.task.id}:{number}:hesitation")
        spell = _SPELL.search(asked) is not None
        spoken, slower = self._worded(add_disfluency(plain, settings.disfluency, rng), spell)
        voice = Voice(self.voice.name, round(self.voice.rate * slower, 3), self.voice.pitch)
        (clean, _), spent = await self.runtime.work(self.runtime.tts.speak, spoken, voice)
        try:
            require_speech(clean, "The user's speech")
        except BadInput as error:
            raise InfrastructureError("user", str(error)) from error
        carried = self.channel.carry(clean, f"{self.seed}:{self.task.id}:{number}")
        utterance = Utterance(plain, spoken, clean, carried, save(carried, self.run))
        self.seconds_speaking += spent
        self.utterances.append(utterance)
        self._by_name[utterance.name] = utterance
        return utterance

    async def hear(self, name: str) -> str:
        """The transcript of a recording, read back; made once."""
        utterance = self._by_name[name]
        if utterance.heard is None:
            utterance.heard = read(await self._transcribe(utterance.carried))
        return utterance.heard

    async def sound(self, name: str) -> str:
        """A recording as a data URI of a WAV file."""
        return WAV + base64.b64encode(write_wav(self._by_name[name].carried)).decode("ascii")

    def samples(self, name: str) -> Samples:
        """A recording's samples."""
        return self._by_name[name].carried

    def _worded(self, text: str, spell: bool) -> tuple[str, float]:
        """The text as spoken, and how fast: ids and names that are said again are said more plainly and slower."""
        manners: dict[str, Verbalization] = {}
        slower = 1.0
        for value in dict.fromkeys([*identifiers(text), *(name for name in self._names if name in text)]):
            way = self._said[value]
            if not way and spell and (value in self._names or "@" in value):
                way = 1
            manners[value], rate = _WAYS[way and 1 + (way - 1) % (len(_WAYS) - 1)]
            slower = min(slower, rate)
            self._said[value] = way + 1
        return speakable(text, lambda value: manners.get(value, "grouped"), self._names), slower

    async def _transcribe(self, samples: Samples) -> str:
        assert self.runtime.asr is not None
        text, spent = await self.runtime.work(self.runtime.asr.transcribe, samples)
        self.seconds_listening += spent
        return text

    # --- the account ---

    async def record(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with what is known about its speech: modality, times, and `info.speech`."""
        for utterance in self.utterances:
            await self._check(utterance)
        timing = trajectory.timing.model_copy(
            update={"speaking": self.seconds_speaking, "listening": self.seconds_listening}
        )
        info = trajectory.info.model_copy(update={"speech": self.account()})
        return trajectory.model_copy(update={"modality": "speech", "timing": timing, "info": info})

    def account(self) -> SpeechRecord:
        """Voice, channel, engines, and each utterance with its length, words, ids and transcript."""
        settings, asr = self.runtime.settings, self.runtime.asr
        return SpeechRecord(
            tts=self.runtime.tts.engine.identity,
            asr=asr.identity if asr is not None else None,
            agent_input=settings.agent_input,
            auth="profile" if self.identified else "spoken",
            voice={"name": self.voice.name, "rate": self.voice.rate, "pitch": self.voice.pitch},
            channel=self.channel.text,
            utterances=tuple(_entry(utterance) for utterance in self.utterances),
        )

    async def _check(self, utterance: Utterance) -> None:
        """Whether the ids can be heard in the user's own voice, before the channel; else the agent is not to blame."""
        if self.runtime.asr is None or not identifiers(utterance.text):
            return
        if utterance.heard is not None and utterance.carried is utterance.clean:
            transcript = utterance.heard
        else:
            transcript = await self._transcribe(utterance.clean)
        utterance.missed = metrics.missed(utterance.text, transcript)


def voice_for(voices: Sequence[str], task: Task) -> Voice:
    """The voice of a task's person: one of the engine's, with a rate and a pitch of its own."""
    rng = Random(f"{task.seed}:{task.id}:voice")
    return Voice(rng.choice(list(voices)), round(rng.uniform(0.92, 1.06), 3), round(rng.uniform(0.95, 1.05), 3))


def _entry(utterance: Utterance) -> UtteranceRecord:
    reference = metrics.words(utterance.spoken)
    entry = UtteranceRecord(
        audio=utterance.name,
        seconds=round(seconds(utterance.carried), 3),
        spoken=utterance.spoken,
        words=len(reference),
        ids=tuple(dict.fromkeys(identifiers(utterance.text))),
        check_missed=None if utterance.missed is None else tuple(utterance.missed),
    )
    if utterance.heard is None:
        return entry
    heard = {
        "heard": utterance.heard,
        "word_errors": metrics.errors(reference, metrics.words(utterance.heard)),
        "missed": tuple(metrics.missed(utterance.text, utterance.heard)),
    }
    return entry.model_copy(update=heard)


class _TalkingUser:
    """A user whose messages are spoken."""

    def __init__(self, user: User, voice_call: VoiceCall) -> None:
        self._user, self._call = user, voice_call

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> UserPlayer:
        return _Talking(self._user.open(task, seed=seed, tools=tools), self._call)


class _Talking:
    """Its player."""

    def __init__(self, player: UserPlayer, voice_call: VoiceCall) -> None:
        self._player, self._call = player, voice_call

    @property
    def notes(self) -> Json:
        return getattr(self._player, "notes", None)

    def take_usage(self) -> list[Usage]:
        taken: list[Usage] = list(getattr(self._player, "take_usage", tuple)())
        return taken

    @property
    def approve(self) -> Approve:
        """The dialog in which calls are approved is text, and there where the user has one."""
        return self._player.approve  # type: ignore[attr-defined,no-any-return]  # AttributeError where there is none

    @property
    def see(self) -> Callable[[Sequence[RowChange]], None]:
        """What a person sees needs no voice."""
        return self._player.see  # type: ignore[attr-defined,no-any-return]  # AttributeError where there is none

    async def reply(self, messages: Sequence[Message]) -> Message:
        message = await self._player.reply(messages)
        asked = next((said.content or "" for said in reversed(messages) if said.role == "assistant"), "")
        utterance = await self._call.say(message.content or "", asked) if not message.tool_calls else None
        return message if utterance is None else message.model_copy(update={"audio": utterance.name})


class _ListeningAgent:
    """An agent that hears the user instead of reading the words."""

    def __init__(self, agent: Agent, voice_call: VoiceCall) -> None:
        self._agent, self._call = agent, voice_call
        self.privileged = agent.privileged

    def open(self, briefing: Briefing) -> AgentPlayer:
        self._call.identified = briefing.profile is not None
        told = replace(briefing, listening=self._call.runtime.settings.agent_input == "asr")
        return _Listening(self._agent.open(told), self._call, getattr(self._agent, "hears", "text"))


class _Listening:
    """Its player."""

    def __init__(self, player: AgentPlayer, voice_call: VoiceCall, hears: str) -> None:
        self._player, self._call, self._hears = player, voice_call, hears

    @property
    def notes(self) -> Json:
        return getattr(self._player, "notes", None)

    def take_usage(self) -> list[Usage]:
        taken: list[Usage] = list(getattr(self._player, "take_usage", tuple)())
        return taken

    async def act(self, messages: Sequence[Message]) -> Message:
        return await self._player.act([await self._perceived(message) for message in messages])

    async def _perceived(self, message: Message) -> Message:
        """A message as the agent gets it: a spoken one without its words."""
        if message.audio is None:
            return message
        if self._call.runtime.settings.agent_input == "asr":
            heard = await self._call.hear(message.audio)
            return message.model_copy(update={"content": heard or NOTHING_HEARD, "audio": None})
        sound = await self._call.sound(message.audio) if self._hears == "audio" else message.audio
        return message.model_copy(update={"content": None, "audio": sound})
