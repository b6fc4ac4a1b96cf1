"""Whatever is wrong in a domain's files is one sentence with file and line, from every command and from Python."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import lending
import pytest

from toolgym.commands.new_domain import scaffold

pytestmark = pytest.mark.slow
COMMANDS = [
    ["check", "library"],
    ["eval", "library", "--agent", "oracle"],
    ["eval", "ToolLibrary-v0"],
    ["tasks", "list", "library"],
    ["train", "tarl", "env=library", "--dry-run"],
    ["play", "library"],
    ["mcp", "library"],
]
RUN = """
import contextlib, io, json, sys
from toolgym.__main__ import main
said = []
for command in json.loads(sys.argv[1]):
    with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()) as printed:
        status = main(command)
    said.append([status, errors.getvalue() + printed.getvalue()])
print(json.dumps(said))
"""


def add(site: Path, name: str) -> None:
    """Put a scaffolded domain into a folder, as if it were installed there."""
    described = site / f"{name}-1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text(f"[toolgym.domains]\n{name} = {name}:domain\n", encoding="utf-8")
    project = scaffold(name, site.parent)
    shutil.move(project / name, site)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the scaffolded domain `library`, as installed."""
    add(tmp_path / "site", "library")
    return tmp_path / "site"


def change(package: Path, file: str, old: str, new: str) -> None:
    path = package / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def python(site: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=site, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def run(site: Path, *commands: list[str]) -> list[tuple[int, str]]:
    done = python(site, "-c", RUN, json.dumps(commands))
    assert done.returncode == 0, done.stderr
    return [(status, text) for status, text in json.loads(done.stdout)]


def test_every_command_says_where(site: Path) -> None:
    change(site / "library", "tools.py", "import Database, ", "import ")
    for command, (status, text) in zip(COMMANDS, run(site, *COMMANDS), strict=True):
        index = "is broken: library/tools.py, line 10: NameError: name 'Database' is not defined."
        assert status == 2 and text.endswith(f"{index}\n") and len(text.splitlines()) == 1, (command, text)


def test_gymnasium_says_where_and_keeps_the_cause(site: Path) -> None:
    change(site / "library", "tools.py", "import Database, ", "import ")
    done = python(site, "-c", "import toolgym, gymnasium; gymnasium.make('ToolLibrary-v0')")
    last = done.stderr.splitlines()[-1]
    assert "ConfigurationError: The domain 'library'" in last and "library/tools.py, line 10: NameError" in last


BREAKS = [
    ("schema.py", "class Item(Base):", "class Item(Base:", "NAME/schema.py, line 23: SyntaxError"),
    ("schema.py", 'key("M-10")', "mapped_column()", "NAME/schema.py, line 15: ArgumentError"),
    ("seed.py", "import Database", "import Databas", "NAME/seed.py, line 6: ImportError: cannot import name"),
    ("seed.py", "label=label", "lable=label", "NAME/seed.py, line 19: Item has no column lable"),
    ("tools.py", '@tool("read")', '@tool("reed")', "There is no tool kind 'reed'; did you mean 'read'?"),
    ("rules.py", "on=[borrow_item]", "on=[borow_item]", "NAME/rules.py, line 10: NameError"),
    ("rules.py", "(item: View", "(thing: View", "asks for 'thing', which borrow_item has no parameter for"),
    ("goals.py", "GOALS = (", "GOALS = (1 / 0,", "NAME/goals.py, line 16: ZeroDivisionError"),
    ("goals.py", "withheld=", "withhold=", "NAME/goals.py, line 14: TypeError"),
    (
        "goals.py",
        'says=("I mean {}.",)), DUE)',
        'says=("I mean {}.",)),), worked_out={"due_on": lambda draw: date(2026, 5, 6)}',
        "goal borrow_item: none of its drawn tasks can be proven; the gold call borrow_item uses '2026-05-06'",
    ),
    (
        "goals.py",
        'says=("Please extend {loan}[ until {due_on}].", "May I keep {loan} for longer[, until {due_on}]?"),',
        "",
        "The goal 'extend_loan' has no words; give it `says`, or write `[goals.extend_loan]` with `says = [...]`",
    ),
    ("__init__.py", "=Member", '=Member, data={"own": lambda path: {}}', "its data open as dict, not as Dataset"),
    ("__init__.py", "=Member", "=Membr", "NAME/__init__.py, line 6: NameError"),
    ("__init__.py", "of(__name__", 'of("nowhere"', "NAME/__init__.py, line 6: ModuleNotFoundError"),
    ("__init__.py", "domain = ", "domein = ", "module 'NAME' has no attribute 'domain'"),
    ("__init__.py", "Domain.of(__name__, ", "dict(", "is a dict, not a Domain"),
]


def test_what_breaks_is_named_once(tmp_path: Path) -> None:
    names = [f"world_{number}" for number in range(len(BREAKS))]
    for name, (file, old, new, _) in zip(names, BREAKS, strict=True):
        add(tmp_path / "site", name)
        change(tmp_path / "site" / name, file, old, new)
    answers = run(tmp_path / "site", *(["check", name] for name in names))
    for name, (*_, says), (status, text) in zip(names, BREAKS, answers, strict=True):
        assert status in (1, 2) and text.count(says.replace("NAME", name)) == 1 and len(text.splitlines()) <= 2, text


GOALS = """
from toolgym.sandbox.kit.goal import Draw, Goal, Slot


def _any(draw: Draw) -> object:
    return draw.rng.choice(["B-101"])


@tool("write")
def rename(db: Database, loan: Ref[Loan], name: str) -> View[Loan]:
    return View(loan, name=name)


domain = replace(
    domain,
    tools=ToolSet([*domain.tools.values(), rename]),
    goals=[
        Goal(rename, says=("Call {loan} {name}.",), verbs=("call",), slots=(Slot("loan"), Slot("name", draw=_any))),
        Goal(give_back, says=("I bring {loan} back.",), verbs=("return",), slots=(Slot("loan"),)),
    ],
)
"""
DECLARED = [
    ("return now - loan.row.taken_at >= timedelta(days=1)", "return bool({}[1])", ": KeyError: 1"),
    ("loan.row.taken_at >= timedelta", "loan.row.reader_id >= timedelta", "A view of Loan does not show reader_id"),
    ('draw.rng.choice(["B-101"])', "draw.nothing", "AttributeError: 'Drawing' object has no attribute 'nothing'"),
    ('Slot("name", draw=_any)', 'Slot("name")', "goal rename: Slot('name') says not how its text is drawn"),
    ('reader_id: Mapped[str] = key("R-01")', "reader_id: Mapped[str]", "ArgumentError"),
    ("title: Mapped[str]", "title: Mapped[str] = mapped_column(primary_key=True)", "foreign key mismatch"),
    ("due_on: Mapped[date]", "due_on: Mapped[date] = mapped_column(primary_key=True)", "Loan has 2 key columns"),
    ("def a_day_old(loan: View[Loan]", "def a_day_old(loan: View[Book]", "asks for 'loan' of another type"),
    ('(loan: View[Loan], now: datetime) -> bool:\n    """Whether it has', '(lone: str) -> bool:\n    """Whether it has',
     "asks for 'lone'"),
    ('__brief__ = ("book_id", "title")', '__brief__ = ("book_id", "titel")', "Book.__brief__ names 'titel'"),
    ("from sqlalchemy import ForeignKey\n", "", "NameError: name 'ForeignKey' is not defined"),
]  # fmt: skip


def test_what_breaks_in_declarations_is_named_when_tasks_are_drawn(tmp_path: Path) -> None:
    text = (
        Path(lending.__file__)
        .read_text(encoding="utf-8")
        .replace("from datetime", "from dataclasses import replace\nfrom datetime", 1)
    )
    names = [f"house_{number}" for number in range(len(DECLARED))]
    for name, (old, new, _) in zip(names, DECLARED, strict=True):
        described = tmp_path / f"{name}-1.0.dist-info"
        described.mkdir()
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        (described / "entry_points.txt").write_text(f"[toolgym.domains]\n{name} = {name}:domain\n", encoding="utf-8")
        whole = text.replace('name="lending"', f'name="{name}"') + GOALS
        assert old in whole, old
        (tmp_path / f"{name}.py").write_text(whole.replace(old, new), encoding="utf-8")
    answers = run(tmp_path, *(["tasks", "generate", name, "--count", "9"] for name in names))
    for name, (*_, says), (status, said) in zip(names, DECLARED, answers, strict=True):
        assert status == 2 and says in said and len(said.strip().splitlines()) == 1, (name, said)
        assert re.search(rf"{name}\.py, line \d+: ", said), said


def test_a_folder_in_the_packages_place_is_named(site: Path, tmp_path: Path) -> None:
    (site / "library").rename(tmp_path / "elsewhere")
    (site / "library" / "data").mkdir(parents=True)
    ((status, text),) = run(site, ["check", "library"])
    assert status == 2 and f"the folder {site / 'library'}, which has no __init__.py" in text


def test_a_plug_in_that_still_imports_the_former_names_is_told_the_present_one(site: Path) -> None:
    change(site / "library", "tools.py", "from toolgym.kit import", "from sandbox.kit.tool import")
    ((status, text),) = run(site, ["check", "library"])
    assert status == 2 and len(text.splitlines()) == 1
    assert "imports sandbox, which is toolgym.sandbox since toolgym 0.3: write toolgym. before it." in text
