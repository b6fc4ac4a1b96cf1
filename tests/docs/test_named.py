"""What the pages on papers, other tools and provenance name is there: paths, commands with their settings, recipes."""

import importlib
import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest

import toolgym
from toolgym.cli import Parser
from toolgym.commands import COMMANDS
from toolgym.training import recipe

ROOT = Path(__file__).parents[2]
INSTALLED = Path(toolgym.__file__).parents[1]
"""The folder of the packages: the checkout's, or of a wheel the environment's."""
PAGES = [*sorted((ROOT / "docs/papers").glob("*.md")), ROOT / "docs/comparison.md", ROOT / "docs/provenance.md"]
ROOMS = ("sandbox", "judge", "domains", "training", "toolgym", "benchmarks", "examples", "tests", "docs")


def commands(page: Path) -> list[str]:
    """The lines and phrases that are commands of ours; what stands behind two spaces or a # explains them."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"`(toolgym [^`]+)`", text) + re.findall(r"^(?:    )?(toolgym .+)$", text, re.MULTILINE)
    return [re.split(r" {2,}|#", line)[0].strip() for line in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_paths_are_there(page: Path) -> None:
    named = re.findall(r"[`(\s]((?:" + "|".join(ROOMS) + r")/[\w/.-]+)", page.read_text(encoding="utf-8"))
    for path in named:
        assert any((place / path.rstrip(".")).exists() for place in (ROOT, INSTALLED)), f"{page.name} names {path}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_can_be_read(page: Path) -> None:
    for line in commands(page):
        _, name, *rest = shlex.split(line)
        module = importlib.import_module(COMMANDS[name][0])
        parser = Parser(prog=line)
        module.add_arguments(parser)
        given = parser.parse_intermixed_args(rest)  # exits where a flag is unknown
        if name == "train" and given.recipe not in (None, "export"):
            recipe.setup(given.recipe, given.settings)


@pytest.mark.parametrize("page", PAGES[:4], ids=lambda page: page.stem)
def test_variants_are_the_recipes(page: Path) -> None:
    known = recipe.load(page.stem).variants
    text = page.read_text(encoding="utf-8")
    for named in re.findall(r"variant=([\w.+-]+)", text):
        assert set(named.split("+")) <= set(known), f"{page.name} names {named}"
    for named in re.findall(r"`\+([\w.-]+)`", text):
        assert named in known, f"{page.name} names {named}"


def shown(page: Path) -> list[list[str]]:
    """The commands of ours in a page's blocks, up to what explains them, a pipe or a further command."""
    blocks = re.findall(r"^```.*?$(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = re.findall(r"^(toolgym .+)$", re.sub(r"\\\n *", " ", "\n".join(blocks)), re.MULTILINE)
    found = []
    for line in lines:
        words = shlex.shlex(re.split(r" {2,}", line)[0], posix=True, punctuation_chars=True)
        words.whitespace_split = True
        found.append(list(takewhile(lambda word: not set(word) <= set("|&;<>()"), words)))
    return found


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.stem)
def test_every_command_in_a_block_can_be_read(page: Path) -> None:
    for _, name, *rest in shown(page):
        if name not in COMMANDS or {"...", "$world"} & set(rest):  # what a command printed; a form or a loop
            continue
        parser = Parser(prog=f"toolgym {name}")
        importlib.import_module(COMMANDS[name][0]).add_arguments(parser)
        parser.parse_intermixed_args(rest)


def test_there_is_something_to_check() -> None:
    assert [page.stem for page in PAGES[:4]] == ["prove", "tarl", "tier", "toolrl"]
    assert sum(len(commands(page)) for page in PAGES) > 30
    assert sum(len(shown(page)) for page in (ROOT / "docs").rglob("*.md")) > 200
