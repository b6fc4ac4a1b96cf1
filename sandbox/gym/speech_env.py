"""The Gymnasium environment whose users talk: what the user says arrives as a waveform, everything else as text.

An observation is a dictionary: `audio`, the user's utterance (float32, shape (n,), 16 kHz; empty when none was spoken),
and `text`, a JSON list of the new messages in which a spoken one has no content. The words are in `info["messages"]`,
for judges and for debugging only.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pydantic import ValidationError

from toolgym.sandbox.gym.env import ToolEnv
from toolgym.sandbox.gym.spaces import AnyText
from toolgym.sandbox.gym.speech_spaces import Waveform
from toolgym.sandbox.kit.errors import BadInput, first_invalid
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.background_loop import run_sync
from toolgym.sandbox.runtime.roles import User
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.speech.audio import to_float
from toolgym.sandbox.speech.settings import SpeechSettings
from toolgym.sandbox.speech.voice_call import VoiceCall, open_runtime


class SpeechToolEnv(ToolEnv):
    """A conversation with a user who talks.

    Args:
        domain: the world.
        speech: settings of speech by name, see `SpeechSettings`; there is no check by a recogniser unless one is named.
        settings: the arguments of `ToolEnv`.
    """

    def __init__(self, domain: str, *, speech: Mapping[str, Any] | None = None, **settings: Any) -> None:
        super().__init__(domain, **settings)
        self._made_with["speech"] = speech
        if self._user is None:
            raise BadInput("Solo work has no user, so nobody talks; leave out modality='speech'.")
        try:
            self._speech = SpeechSettings.model_validate({"asr": "none", **(speech or {})})
        except ValidationError as error:
            problem = first_invalid(error)
            known = ", ".join(SpeechSettings.model_fields)
            raise BadInput(f"speech: {problem.field}: {problem.message}. Settings: {known}.") from None
        if self._speech.agent_input == "asr":
            raise BadInput(
                "The environment gives audio; a recogniser belongs into the agent (see toolgym.sandbox.speech.asr)."
            )
        self._call: VoiceCall | None = None
        self.observation_space = spaces.Dict({"audio": Waveform(), "text": AnyText()})

    def _user_of(self, task: Task, seed: int) -> User | None:
        assert self._user is not None
        self._call = open_runtime(self._speech).voice_call(task, seed)
        self._call.identified = self._auth == "profile"
        return self._call.user(self._user)

    def _observed(self, messages: list[Message]) -> dict[str, Any]:
        assert self._call is not None
        shown: list[dict[str, Any]] = []
        audio = np.zeros(0, dtype=np.float32)
        for message in messages:
            record = message.to_openai()
            if message.audio is not None:
                record |= {"content": None, "audio": message.audio}
                audio = to_float(self._call.samples(message.audio))
            shown.append(record)
        return {"audio": audio, "text": json.dumps(shown, ensure_ascii=False)}

    def _recorded(self, trajectory: Trajectory) -> Trajectory:
        assert self._call is not None
        return run_sync(self._call.record(trajectory))
