"""The voice call: agents hear and never read, users repeat more plainly, and a seed decides every sample."""

import asyncio
import base64

import pytest
from openai_server import OpenAIServer

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.speech.audio import read_wav, seconds
from toolgym.sandbox.speech.recordings import load
from toolgym.sandbox.speech.settings import SpeechSettings
from toolgym.sandbox.speech.text_normalization import speakable
from toolgym.sandbox.speech.voice_call import MAX_CHARS, SpeechRuntime, voice_for


@pytest.fixture(scope="module")
def cascade():
    return SpeechRuntime(SpeechSettings(agent_input="asr", tts="piper", asr="whisper", asr_options={"model": "tiny"}))


@pytest.fixture(scope="module")
def plain():
    return SpeechRuntime(SpeechSettings(tts="espeak", asr="none"))


def task_of(family, difficulty="simple", domain="retail"):
    tasks = get_domain(domain).tasks("test", "own")
    return next(task for task in tasks if task.family == family and task.difficulty == difficulty)


def play(runtime, task, agent, *, seed=0, run=None, auth="spoken"):
    domain = get_domain(task.domain)
    task, profile = authenticated(domain, task) if auth == "profile" else (task, None)

    async def episode():
        voice_call = runtime.voice_call(task, seed, run)
        with Session(domain, task=task) as session:
            talk = Episode(domain, task, session, voice_call.user(make_user("scripted")), seed=seed, profile=profile)
            return await voice_call.record(await run_episode(talk, voice_call.agent(agent)))

    return asyncio.run(episode())


class Spy:
    """An agent that keeps what it is shown and says one thing."""

    privileged = False

    def __init__(self, hears, says="Please tell me your order number and your name."):
        self.hears, self.says, self.seen = hears, says, []

    def open(self, briefing):
        return self

    async def act(self, messages):
        self.seen = list(messages)
        return Message(role="assistant", content=self.says)


@pytest.mark.slow
def test_a_spoken_episode_by_the_cascade_from_the_first_word_to_the_verdict(cascade, tmp_path):
    trajectory = play(cascade, task_of("cancel"), make_agent("rules"), run=tmp_path, auth="profile")
    assert verify(trajectory).passed()
    assert trajectory.modality == "speech"
    spoken = [message for message in trajectory.messages if message.audio]
    entries = trajectory.utterances
    assert [message.audio for message in spoken] == [entry.audio for entry in entries]
    for message, entry in zip(spoken, entries, strict=True):
        assert seconds(load(tmp_path, message.audio)) == pytest.approx(entry.seconds, abs=1e-3)
    heard = [entry for entry in entries if entry.heard is not None]  # nobody is left to hear the goodbye
    assert len(heard) >= len(entries) - 1
    assert sum(entry.word_errors for entry in heard) <= sum(entry.words for entry in heard) / 3
    assert entries[0].heard != spoken[0].content  # a transcript, not the text
    assert all((entry.check_missed is not None) == bool(entry.ids) for entry in entries)
    assert any(entry.ids for entry in entries)
    assert trajectory.timing.speaking > 0 and trajectory.timing.listening > 0


def test_an_agent_with_a_profile_is_not_asked_to_authenticate(cascade):
    task, profile = authenticated(get_domain("retail"), task_of("cancel"))
    assert profile["user_id"] and not any(call.name.startswith("find_user") for call in task.gold)
    with pytest.raises(BadInput, match="no user profiles"):
        authenticated(get_domain("kiosk"), get_domain("kiosk").tasks("test")[0])


@pytest.mark.slow
def test_with_audio_ears_the_agent_gets_sound_and_no_word_of_the_user(plain):
    spy = Spy("audio")
    trajectory = play(plain, task_of("cancel"), spy)
    users = [message for message in spy.seen if message.role == "user"]
    assert users and all(message.content is None for message in users)
    samples = read_wav(base64.b64decode(users[0].audio.split(",", 1)[1]))
    assert seconds(samples) == pytest.approx(trajectory.utterances[0].seconds, abs=1e-3)
    assert trajectory.utterances[0].heard is None


def test_what_is_asked_again_is_said_slower_and_spelled(plain):
    trajectory = play(plain, task_of("cancel"), Spy("audio"))
    said = [entry.spoken for entry in trajectory.utterances]
    first = next(fact.value for fact in trajectory.task.facts if fact.name == "first_name")
    assert first in said[0] and " ".join(first.upper()) not in said[0]
    assert any(" ".join(first.upper()) in words for words in said[1:])


def test_who_is_asked_to_spell_does_so_at_once_and_says_the_rest_as_usual(plain):
    tasks = get_domain("retail").tasks("test", "own")
    task = next(
        task for task in tasks if {"first_name", "zip"} <= {fact.name for fact in task.facts if fact.on_request}
    )
    trajectory = play(plain, task, Spy("audio", "Please spell your name, and tell me your e-mail or zip code."))
    said = [entry.spoken for entry in trajectory.utterances]
    first, key = (next(str(fact.value) for fact in task.facts if fact.name == name) for name in ("first_name", "zip"))
    assert " ".join(first.upper()) in said[1] and speakable(key) in said[1]
    assert speakable(key, lambda _: "slow") in said[2]


def test_a_person_keeps_one_voice_and_people_differ(plain):
    tasks = get_domain("retail").tasks("test", "own")[:20]
    voices = [voice_for(("a", "b", "c"), task) for task in tasks]
    assert voices == [voice_for(("a", "b", "c"), task) for task in tasks]
    assert len({voice.name for voice in voices}) == 3
    assert len({(voice.rate, voice.pitch) for voice in voices}) > 10


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_through_every_effect():
    settings = SpeechSettings(
        tts="espeak", asr="none", channel="telephone,noise:15,loss:0.05|room:0.2,noise:5", disfluency=0.7
    )
    task = task_of("return", "standard")
    one, two, other = (play(SpeechRuntime(settings), task, Spy("audio"), seed=seed) for seed in (5, 5, 6))
    assert one.canonical() == two.canonical()
    names = [[message.audio for message in run.messages if message.audio] for run in (one, other)]
    assert names[0] and names[0] != names[1]


def test_an_agent_that_only_reads_is_refused_with_the_way_out(plain):
    with pytest.raises(BadInput, match="--agent-input asr"):
        plain.admit(make_agent("rules"), "rules")
    for name in ("oracle", "inert", "random"):
        plain.admit(make_agent(name), name)
    with pytest.raises(BadInput, match="needs a recogniser"):
        SpeechRuntime(SpeechSettings(agent_input="asr", asr="none", tts="espeak"))
    with pytest.raises(BadInput, match="did you mean 'telephone'"):
        SpeechRuntime(SpeechSettings(tts="espeak", asr="none", channel="telefone"))


def test_what_cannot_be_said_is_a_failure_of_the_user_not_of_the_agent(plain):
    voice_call = plain.voice_call(task_of("cancel"), 0)
    assert asyncio.run(voice_call.say(f"... {STOP}")) is None
    with pytest.raises(InfrastructureError, match="are allowed") as raised:
        asyncio.run(voice_call.say("word " * MAX_CHARS))
    assert raised.value.boundary == "user"
    with pytest.raises(InfrastructureError, match="an utterance may last 120 s"):
        asyncio.run(voice_call.say("one two three four " * 200))


@pytest.mark.slow
def test_models_get_input_audio_and_serve_by_it():
    runtime = SpeechRuntime(SpeechSettings(tts="piper", asr="none"))
    with OpenAIServer("retail") as server:
        model = {"model": "agent", "base_url": server.url}
        trajectory = play(runtime, task_of("cancel"), make_agent("llm", {"model": model}))
        users = [message for message in server.asked("agent")[-1]["messages"] if message["role"] == "user"]
        assert all(message["content"][0]["type"] == "input_audio" for message in users)
        assert users[0]["content"][0]["input_audio"]["format"] == "wav"
        assert not any("cancel" in str(message["content"]) for message in users)
        assert trajectory.fault is None
        hermes = make_agent("llm", {"model": model, "format": "hermes"})
        play(runtime, task_of("human"), hermes)
        parts = server.asked("agent")[-1]["messages"][1]["content"]
        assert parts[0]["type"] == "input_audio"


def test_a_model_that_takes_only_text_names_the_cascade(plain):
    with OpenAIServer("retail") as server:
        model = {"model": "deaf", "base_url": server.url, "retries": 0}
        trajectory = play(plain, task_of("cancel"), make_agent("llm", {"model": model}))
    assert trajectory.termination == "infrastructure_error"
    assert trajectory.fault.boundary == "model"
    said = trajectory.fault.message
    assert "audio input is not supported" in said and "--agent-input asr" in said


@pytest.mark.slow
async def test_the_dialog_in_which_calls_are_approved_is_text(plain):
    task = get_domain("banking").tasks("test", "v2")[1]
    verify_pin, pay = task.goals[0].calls
    steps = [verify_pin, pay.model_copy(update={"arguments": pay.arguments | {"amount_cents": 9999}}), pay]

    class Steps(Spy):
        async def act(self, messages):
            said = {"tool_calls": (steps.pop(0),)} if steps else {"content": "So."}
            return Message(role="assistant", **said)

    call = plain.voice_call(task, 0, None)
    with Session(get_domain("banking"), task=task) as session:
        user = call.user(make_user("scripted"))
        talk = Episode(get_domain("banking"), task, session, user, consent="call", limits=Limits(max_turns=4))
        played = await call.record(await run_episode(talk, call.agent(Steps("text"))))
    assert [(each.approved, each.sentence) for each in played.approvals] == [(False, "No, $72.51, please."), (True, "")]
    assert [call.error for call in played.calls] == [None, "declined", None]
    assert len(played.utterances) == sum(message.role == "user" for message in played.messages)
