"""Audio files, what is refused as an utterance, and the channel."""

import io
import wave

import numpy as np
import pytest

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.speech.audio import (
    MAX_SECONDS,
    RATE,
    digest,
    loudness,
    read_wav,
    require_speech,
    to_pcm,
    write_wav,
)
from toolgym.sandbox.speech.channel import Channel, channel_for
from toolgym.sandbox.speech.recordings import load, save


def tone(seconds=1.0, hertz=440.0, loud=0.3, rate=RATE):
    return to_pcm(loud * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate))


def wav(samples, rate=RATE, channels=1, width=2):
    target = io.BytesIO()
    with wave.open(target, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return target.getvalue()


def test_a_wav_file_comes_back_as_it_was():
    samples = tone()
    assert np.array_equal(read_wav(write_wav(samples)), samples)


def test_other_rates_and_stereo_become_16_khz_mono():
    stereo = np.repeat(tone(rate=44100), 2)
    samples = read_wav(wav(stereo, rate=44100, channels=2))
    assert abs(len(samples) - RATE) <= 1
    spectrum = np.abs(np.fft.rfft(samples[:RATE]))
    assert abs(int(np.argmax(spectrum)) - 440) <= 1


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no readable WAV"),
        (b"RIFF....WAVEgarbage", "no readable WAV"),
        (write_wav(tone())[:30], "no readable WAV"),
        (wav(np.zeros(100, np.uint8), width=1), "16-bit"),
        (write_wav(np.zeros(RATE, np.int16)), "silent"),
        (write_wav(tone(0)), "silent"),
        (write_wav(tone(loud=5.0)), "clipped"),
        (write_wav(np.tile(tone(), 3600)), "an utterance may last 120 s"),
    ],
    ids=["empty", "garbage", "torn", "8-bit", "silence", "nothing", "clipping", "an hour"],
)
def test_what_is_no_utterance_is_refused_in_words(content, says):
    with pytest.raises(BadInput, match=says):
        read_wav(content, "The answer")


def test_loud_speech_with_a_few_clipped_samples_is_accepted():
    require_speech(tone(loud=1.0005))
    require_speech(tone(seconds=MAX_SECONDS))


def test_recordings_are_flac_files_stored_once(tmp_path):
    samples = tone()
    name = save(samples, tmp_path)
    assert name == f"audio/{digest(samples)}.flac"
    assert save(samples.copy(), tmp_path) == name
    assert len(list((tmp_path / "audio").iterdir())) == 1
    assert np.array_equal(load(tmp_path, name), samples)
    assert (tmp_path / name).stat().st_size < samples.nbytes
    with pytest.raises(BadInput, match="no recording"):
        load(tmp_path, "audio/none.flac")
    (tmp_path / name).write_bytes(b"fLaC broken")
    with pytest.raises(BadInput, match="no readable recording"):
        load(tmp_path, name)


EVERY = "telephone,noise:10,room:0.3,loss:0.1,speed:1.1,gain:-3"


def test_a_channel_is_the_same_for_the_same_seed_only():
    voice, channel = tone(), Channel(EVERY)
    assert np.array_equal(channel.carry(voice, "a"), Channel(EVERY).carry(voice, "a"))
    assert not np.array_equal(channel.carry(voice, "a"), channel.carry(voice, "b"))
    assert Channel("clean").carry(voice, "a") is voice


def test_noise_has_the_ratio_it_was_given():
    voice = tone(seconds=4)
    for decibels in (20, 10, 0):
        added = Channel(f"noise:{decibels}").carry(voice, "x").astype(float) - voice
        ratio = 20 * np.log10(loudness(voice) / (np.sqrt(np.mean(added**2)) / 32767))
        assert abs(ratio - decibels) < 0.5


def test_the_telephone_passes_300_to_3400_hertz():
    def passed(hertz):
        return loudness(Channel("telephone").carry(tone(hertz=hertz), "x")) / loudness(tone(hertz=hertz))

    assert passed(1000) > 0.8
    assert passed(60) < 0.2
    assert passed(6000) < 0.05


def test_loss_speed_and_gain_do_what_they_say():
    voice = tone(seconds=20)
    silent = np.mean(Channel("loss:0.2").carry(voice, "x").reshape(-1, 320).any(axis=1) == 0)
    assert 0.1 < silent < 0.3
    assert abs(len(Channel("speed:1.25").carry(voice, "x")) - len(voice) / 1.25) <= 2
    assert loudness(Channel("gain:-6").carry(voice, "x")) == pytest.approx(loudness(voice) / 2, rel=0.02)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("telefone", "did you mean 'telephone'"),
        ("noise:loud", "takes a number from -20 to 60"),
        ("loss:2", "takes a number from 0 to 0.9"),
        ("telephone:3", "takes no value"),
    ],
)
def test_a_mistake_in_a_channel_is_explained(text, says):
    with pytest.raises(BadInput, match=says):
        Channel(text)


def test_channels_by_task_by_persona_and_by_the_seed():
    text = "impatient=telephone|t7=loss:0.1|clean|noise:20"
    task = Task(id="t1", domain="x", persona="terse")
    assert channel_for(text, task.model_copy(update={"persona": "impatient"}), 0).text == "telephone"
    assert channel_for(text, task.model_copy(update={"id": "t7", "persona": "impatient"}), 0).text == "loss:0.1"
    drawn = {channel_for(text, task, seed).text for seed in range(30)}
    assert drawn == {"clean", "noise:20"}
    assert channel_for(text, task, 3).text == channel_for(text, task, 3).text
