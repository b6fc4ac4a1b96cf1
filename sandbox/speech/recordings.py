"""Where utterances are kept: by content in memory, and as FLAC files beside a run's trajectories.

Equal audio is stored once. The name of a recording is what `Message.audio` holds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.speech.audio import RATE, Samples, digest

FOLDER = "audio"


def save(samples: Samples, run: Path | None) -> str:
    """Keep an utterance; returns its name, `audio/<content>.flac`, relative to the run's folder.

    Args:
        samples: the utterance.
        run: the run's folder; None keeps no file.
    """
    name = f"{FOLDER}/{digest(samples)}.flac"
    if run is not None and not (run / name).is_file():
        import soundfile

        (run / FOLDER).mkdir(parents=True, exist_ok=True)
        fresh = run / f"{name}.new"
        soundfile.write(fresh, samples, RATE, format="FLAC", subtype="PCM_16")
        fresh.replace(run / name)
    return name


def load(run: Path, name: str) -> Samples:
    """The samples of a run's recording.

    Raises:
        BadInput: it is not there, or no FLAC file.
    """
    import soundfile

    path = run / name
    if not path.is_file():
        raise BadInput(f"There is no recording {path}.")
    try:
        samples, rate = soundfile.read(path, dtype="int16")
    except soundfile.LibsndfileError as error:
        raise BadInput(f"{path} is no readable recording: {error}.") from None
    if rate != RATE:
        raise BadInput(f"{path} has {rate} samples a second; a run's recordings have {RATE}.")
    return np.asarray(samples, dtype=np.int16)
