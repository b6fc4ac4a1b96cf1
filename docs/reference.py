"""Writes docs/reference.md: the names that most programs need, from their signatures and docstrings.

python docs/reference.py
"""

import ast
import inspect
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from docstring_parser import Docstring, parse

import toolgym
from toolgym import kit
from toolgym.sandbox.agents.dialogue import DialogueContext
from toolgym.sandbox.gym.env import ToolEnv
from toolgym.sandbox.kit import reference
from toolgym.sandbox.kit.task import Goal as Wish

PAGE = Path(__file__).with_name("reference.md")
PARTS = {
    "Playing": (
        toolgym.evaluate,
        toolgym.Results,
        toolgym.make,
        ToolEnv,
        toolgym.Agent,
        toolgym.User,
        toolgym.Message,
        toolgym.ToolCall,
    ),
    "Scoring": (toolgym.Trajectory, toolgym.verify, toolgym.score, toolgym.Judge, toolgym.Reward),
    "Sessions": (toolgym.Session, toolgym.worlds, toolgym.tools_of),
    "Errors": (
        *(toolgym.ToolgymError, toolgym.BadInput, toolgym.ConfigurationError, toolgym.InfrastructureError),
        toolgym.Refusal,
    ),
    "Tasks": (toolgym.Task, Wish, kit.Fact),
    "Worlds": (kit.get_domain, kit.Domain, kit.Dataset, kit.generated),
    "Tables": (kit.key, kit.hidden, kit.personal, kit.computed, kit.via, kit.Database),
    "Tools": (
        *(kit.tool, kit.ToolSet, "Ref", kit.Reference, "Free", "Secret", "PageNumber", "NOT_BLANK"),
        *(kit.View, kit.Page),
        *(kit.contains_text, kit.equals_text, kit.is_within, kit.given),
    ),
    "Rules and people": (kit.rule, kit.rules_in, kit.Identity, kit.Handover),
    "Goals": (
        *(kit.Goal, kit.Slot, kit.Draw, kit.Tell, kit.Ask),
        *(kit.Thing, kit.Same, kit.Relation, kit.Condition),
    ),
    "Agents": (DialogueContext,),
}
PUBLIC = (("toolgym", toolgym.__all__), ("toolgym.kit", kit.__all__))
HEAD = """# Reference

The Python names that most programs need. Everything is `from toolgym import NAME` unless another module is named.
Arguments, errors and an example of each stand in its docstring: `help(toolgym.evaluate)`, or the site of `make docs`.
The settings of the commands are on [their page](commands.md). `python docs/reference.py` writes this page.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, objects in PARTS.items():
        parts += [f"## {title}\n", *(entry(found) for found in objects)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def entry(found: Any) -> str:
    """One name: its call, what it is, and its methods."""
    if isinstance(found, str):
        return f"### `{found}`\n\n{flat(said_of(found))}\n"
    home = next((where for where, names in PUBLIC if found.__name__ in names), found.__module__)
    home = "" if home == "toolgym" else f" (`{home}`)"
    is_record = any(hasattr(found, name) for name in ("model_fields", "__dataclass_fields__", "_is_protocol"))
    call = found.__name__ if is_record or issubclass_of_error(found) else found.__name__ + signature(found)
    lines = [f"### `{found.__name__}`{home}", ""]
    lines += [f"    {call}", ""] if call != found.__name__ else []
    lines += described(parse(inspect.getdoc(found) or ""), is_record)
    if inspect.isclass(found) and not issubclass_of_error(found):
        lines += ["", *methods(found)]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def said_of(alias: str) -> str:
    """The text under the assignment of a name that stands for a type."""
    body = ast.parse(inspect.getsource(reference)).body
    for statement, following in pairwise(body):
        named = isinstance(statement, ast.Assign) and any(ast.unparse(each) == alias for each in statement.targets)
        if named and isinstance(following, ast.Expr):
            return str(ast.literal_eval(following.value))
    raise LookupError(alias)


def described(doc: Docstring, is_record: bool) -> list[str]:
    """What it is, a record's attributes by name, and what is returned."""
    lines = [str(doc.short_description), ""]
    names = dict.fromkeys(f"`{part.arg_name}`" for part in doc.params)
    lines += [f"Attributes: {', '.join(names)}.", ""] if is_record and names else []
    return [*lines, f"Returns: {flat(doc.returns.description)}"] if doc.returns else lines


def methods(found: Any) -> list[str]:
    """The public methods and properties that the class itself defines, a line each."""
    shown = []
    for name, value in vars(found).items():
        if name.startswith("_") or not inspect.getdoc(value):
            continue
        if inspect.isfunction(value) or isinstance(value, classmethod | staticmethod):
            shown.append((name + signature(getattr(found, name)), inspect.getdoc(value)))
        elif isinstance(value, property):
            shown.append((name, inspect.getdoc(value)))
    return [f"- `{call}`: {str(text).splitlines()[0]}" for call, text in shown]


def signature(found: Any) -> str:
    """Names and defaults, without types and `self`."""
    given = inspect.signature(found)
    bare = [part.replace(annotation=part.empty) for name, part in given.parameters.items() if name != "self"]
    return str(given.replace(parameters=bare, return_annotation=given.empty))


def issubclass_of_error(found: Any) -> bool:
    """Whether it is an exception, which programs catch and do not make."""
    return inspect.isclass(found) and issubclass(found, Exception)


def flat(text: str | None) -> str:
    """A description without its line breaks."""
    return " ".join((text or "").split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
