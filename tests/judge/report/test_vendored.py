"""What is vendored is what its table says: no file without a line, none changed."""

import hashlib
import re
from importlib.resources import files

VENDOR = files("toolgym.judge.report").joinpath("assets", "vendor")


def test_every_file_is_named_with_its_hash() -> None:
    lines = VENDOR.joinpath("README.md").read_text(encoding="utf-8")
    named = {found[1]: found[2] for found in re.finditer(r"^\| `([^`]+)` .*`([0-9a-f]{64})` \|$", lines, re.MULTILINE)}
    there = {each.name: each for each in VENDOR.iterdir() if each.name != "README.md"}
    assert named == {name: hashlib.sha256(each.read_bytes()).hexdigest() for name, each in there.items()}
    assert {name.split(".")[0] for name in there} == {"marked", "uplot", "wavesurfer"}
