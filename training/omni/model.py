"""verl's model configuration for a Qwen2.5-Omni thinker: `actor_rollout_ref.model._target_` names this class.

verl gives a model of this kind no processor (its `hf_processor` knows vision models only). Rotary positions of text
with sound are those of plain text, so that nothing else is needed (the tests check it against the model's own).
"""

from __future__ import annotations

from dataclasses import dataclass

from verl.workers.config import HFModelConfig

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.training.omni.processor import OmniAudioProcessor

THINKER = "Qwen2_5OmniThinkerForConditionalGeneration"


@dataclass
class OmniModelConfig(HFModelConfig):
    """A thinker-only checkpoint (`python -m toolgym.training.omni.thinker` makes one) with its processor.

    Raises:
        ConfigurationError: the checkpoint is not a thinker.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.architectures != [THINKER]:
            raise ConfigurationError(
                f"{self.path} holds {self.architectures}, not the thinker alone. Take it out of the whole model with: "
                "python -m toolgym.training.omni.thinker MODEL FOLDER"
            )
        if self.tokenizer is not None:
            self.processor = OmniAudioProcessor.from_checkpoint(self.local_path, self.tokenizer)
