"""Speech made once: audio by engine, voice and text, in memory and, where a folder is named, on disk."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from pathlib import Path

import numpy as np

from toolgym.sandbox.speech.audio import Samples
from toolgym.sandbox.speech.engines import TTS, Voice

_IN_MEMORY = 2000
"""Utterances; about 150 kB each."""


class SpeechCache:
    """A text-to-speech engine that remembers.

    Args:
        engine: what speaks.
        folder: where utterances are kept from run to run; None keeps them in memory only.
    """

    def __init__(self, engine: TTS, folder: str | None = None) -> None:
        self.engine = engine
        self._folder = Path(folder) if folder else None
        self._kept: OrderedDict[str, Samples] = OrderedDict()
        self._lock = threading.Lock()

    def speak(self, text: str, voice: Voice) -> tuple[Samples, float]:
        """The text as audio, and the seconds that it took to make."""
        key = hashlib.blake2b(f"{self.engine.identity}\n{voice}\n{text}".encode(), digest_size=20).hexdigest()
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key], 0.0
        started = time.perf_counter()
        samples = self._read(key)
        if samples is None:
            samples = self.engine.speak(text, voice)
            self._write(key, samples)
        with self._lock:
            self._kept[key] = samples
            while len(self._kept) > _IN_MEMORY:
                self._kept.popitem(last=False)
        return samples, time.perf_counter() - started

    def _read(self, key: str) -> Samples | None:
        path = self._folder / f"{key}.npy" if self._folder else None
        if path is None or not path.is_file():
            return None
        return np.asarray(np.load(path, allow_pickle=False), dtype=np.int16)

    def _write(self, key: str, samples: Samples) -> None:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            fresh = self._folder / f"{key}.{threading.get_ident()}.new"
            with fresh.open("wb") as file:
                np.save(file, samples, allow_pickle=False)
            fresh.replace(self._folder / f"{key}.npy")
