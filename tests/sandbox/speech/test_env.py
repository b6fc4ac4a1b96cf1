"""The Gymnasium environment with modality speech keeps the contract of the text one."""

import json

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import toolgym  # noqa: F401  # registers the environments
from toolgym.sandbox.kit.errors import BadInput

SPEECH = {"tts": "espeak"}


def make(**settings):
    return gymnasium.make("ToolKiosk-v0", modality="speech", speech=SPEECH, **settings)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium_finds_nothing_to_complain_about():
    check_env(make().unwrapped)


def test_the_user_is_heard_and_not_read():
    env = make()
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    audio, messages = observation["audio"], json.loads(observation["text"])
    assert audio.dtype == np.float32 and audio.ndim == 1 and len(audio) > 16_000
    assert messages == [{"role": "user", "content": None, "audio": messages[0]["audio"]}]
    assert info["messages"][0]["content"]
    observation, *_ = env.step('{"name": "find_tickets", "arguments": {"holder": "Ada"}}')
    assert len(observation["audio"]) == 0
    assert json.loads(observation["text"])[0]["role"] == "tool"


def test_an_episode_ends_with_a_trajectory_in_speech():
    env = make(max_turns=2)
    env.reset(seed=1)
    for _ in range(2):
        *_, truncated, info = env.step("Who are you?")
    record = json.loads(info["trajectory"])
    assert truncated and record["modality"] == "speech"
    assert len(record["info"]["speech"]["utterances"]) == sum(bool(m["audio"]) for m in record["messages"])


@pytest.mark.parametrize("auth", ["spoken", "profile"])
def test_the_record_says_who_had_to_find_out_who_the_user_is(auth):
    env = gymnasium.make("ToolRetail-v0", modality="speech", speech=SPEECH, auth=auth, max_turns=1)
    env.reset(seed=1)
    *_, info = env.step("One moment.")
    assert json.loads(info["trajectory"])["info"]["speech"]["auth"] == auth


def test_the_same_seed_gives_the_same_samples():
    def heard(seed):
        env = make()
        first, _ = env.reset(seed=seed)
        second, *_ = env.step("Who are you?")
        return np.concatenate([first["audio"], second["audio"]])

    assert np.array_equal(heard(4), heard(4))
    assert not np.array_equal(heard(4), heard(5))


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments(mode):
    envs = gymnasium.make_vec("ToolKiosk-v0", num_envs=2, vectorization_mode=mode, modality="speech", speech=SPEECH)
    first, _ = envs.reset(seed=3)
    kept = [wave.copy() for wave in first["audio"]]
    second, rewards, *_ = envs.step(["Who are you?", "What do you want?"])
    assert all(wave.dtype == np.float32 and len(wave) > 8000 for wave in [*first["audio"], *second["audio"]])
    assert all(np.array_equal(old, wave) for old, wave in zip(kept, first["audio"], strict=True))
    single = make()
    alone, _ = single.reset(seed=3)
    assert np.array_equal(alone["audio"], kept[0])
    assert list(rewards) == [0.0, 0.0]
    envs.close()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"modality": "video"}, "no modality 'video'"),
        ({"modality": "speech", "speech": {"voice": "x"}}, "Settings: agent_input, tts"),
        ({"modality": "speech", "speech": {"agent_input": "asr"}}, "belongs into the agent"),
        ({"modality": "speech", "user": None}, "nobody talks"),
    ],
)
def test_mistakes_are_explained(settings, says):
    with pytest.raises(BadInput, match=says):
        gymnasium.make("ToolKiosk-v0", **settings)


def test_a_missing_engine_is_said_at_the_first_reset():
    env = gymnasium.make("ToolKiosk-v0", modality="speech", speech={"tts": "festival"})
    with pytest.raises(BadInput, match=r"no tt 'festival'|no tts 'festival'"):
        env.reset(seed=0)
