"""What is vendored is what its table says: no file without a line, none changed."""

import hashlib
import re
from importlib.resources import files

ASSETS = files("toolgym.judge.report").joinpath("assets")
VENDOR = ASSETS.joinpath("vendor")


def test_no_line_of_our_own_is_longer_than_160_characters() -> None:
    own = [each for each in ASSETS.iterdir() if each.name.endswith((".js", ".css", ".html"))]
    long = [
        f"{each.name}:{number}"
        for each in own
        for number, line in enumerate(each.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 160
    ]
    assert own and long == []


def test_every_file_is_named_with_its_hash() -> None:
    lines = VENDOR.joinpath("README.md").read_text(encoding="utf-8")
    named = {found[1]: found[2] for found in re.finditer(r"^\| `([^`]+)` .*`([0-9a-f]{64})` \|$", lines, re.MULTILINE)}
    there = {each.name: each for each in VENDOR.iterdir() if each.name != "README.md"}
    assert named == {name: hashlib.sha256(each.read_bytes()).hexdigest() for name, each in there.items()}
    assert {name.split(".")[0] for name in there} == {"marked", "uplot", "wavesurfer"}
