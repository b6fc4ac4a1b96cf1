"""How a spoken run sounds and who hears it: one schema for flags, files and `gym.make`. Loads no speech library."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from toolgym.sandbox.kit.message import Frozen

AgentInput = Literal["audio", "asr"]


class SpeechSettings(Frozen):
    """The settings of speech; used only with modality `speech`."""

    heading: ClassVar[str] = "speech"

    agent_input: AgentInput = Field(
        "audio", description="what the agent gets: audio itself, or asr for a transcript (the cascade)"
    )
    tts: str = Field(
        "piper", description="engine of the user's voice: piper, kokoro, espeak, openai or an installed one"
    )
    tts_options: dict[str, Any] = Field({}, description="options of the engine, such as voices=af_heart,am_adam")
    asr: str = Field(
        "whisper", description="recogniser of the cascade and of the check: whisper, openai; none: no check"
    )
    asr_options: dict[str, Any] = Field({}, description="options of the recogniser, such as model=tiny")
    channel: str = Field("clean", description="what the voice passes through, such as telephone,noise:10; see the docs")
    disfluency: float = Field(0.0, ge=0, le=1, description="how often the user hesitates or starts a sentence again")
    speech_cache: str | None = Field(None, description="folder of spoken utterances, kept from run to run")
