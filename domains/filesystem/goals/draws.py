"""What several goals draw and say."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.paths import ARCHIVE
from toolgym.domains.filesystem.schema import File, Version
from toolgym.sandbox.kit.goal import Draw, Slot

STEMS = "spring summer autumn winter team client private final shared open".split()
THINGS = "papers drafts plans letters figures pictures records ideas samples forms".split()


def is_text(node: Any) -> bool:
    """Whether it is a text file in which people write."""
    return bool(node.row.kind == "file" and node.row.name.endswith(".txt") and node.row.path.count("/") > 2)


def is_file(node: Any) -> bool:
    """Whether it is a file."""
    return bool(node.row.kind == "file")


def is_folder(node: Any) -> bool:
    """Whether it is a folder."""
    return bool(node.row.kind == "folder")


def is_archive(node: Any) -> bool:
    """Whether it can be unpacked."""
    return bool(node.row.name.endswith(ARCHIVE))


def is_own(node: Any) -> bool:
    """Whether it is in the person's home."""
    return bool(node.row.path.startswith("/home/") and node.row.path.count("/") > 2)


def is_own_text(node: Any) -> bool:
    """Whether it is a text file in the person's home."""
    return is_text(node) and is_own(node)


def may_go(node: Any) -> bool:
    """Whether it is something that people move about."""
    return bool(node.row.path.count("/") > 2 and not node.row.name.startswith("."))


def is_copied(node: Any) -> bool:
    """Whether it is something that people would copy or share, allowed or not."""
    return may_go(node) or bool(node.row.path.startswith("/secrets/"))


def home_of(draw: Draw) -> str:
    """The folder of the person."""
    return f"/home/{draw.person.email.split('@')[0]}"


def new_name(draw: Draw) -> str:
    """A name of two words, such as "spring-plans"."""
    return f"{draw.rng.choice(STEMS)}-{draw.rng.choice(THINGS)}"


def into(thing: str) -> Callable[[Draw], str]:
    """The path of a row under its own name in the folder that was drawn."""

    def path(draw: Draw) -> str:
        return f"{draw.values['folder'].path}/{draw.values[thing].name}"

    return path


def named(draw: Draw) -> str:
    """The path of what is new, in the folder that was drawn."""
    return f"{draw.values['folder'].path}/{draw.values['new_name']}"


def lines_of(draw: Draw, name: str = "path") -> list[str]:
    """The lines of the drawn file."""
    return (draw.values[name].text or "").splitlines()


def later(draw: Draw) -> date:
    """A day after today, now and then at the edge of 90 days."""
    return draw.now.date() + timedelta(days=draw.rng.choice((0, 1, 5, 12, 21, 30, 45, 60, 88, 89, 90, 91, 92)))


def versions_of(draw: Draw, node: File) -> Sequence[Version]:
    """The earlier versions of a file of which its day had only one."""
    found = draw.database.find(Version, path=node.path)
    days = [row.saved_at.date() for row in found]
    return [row for row in found if days.count(row.saved_at.date()) == 1]


def day_of_version(draw: Draw, name: str = "file") -> date | None:
    """A day of which the drawn file has one earlier version."""
    found = versions_of(draw, draw.values[name])
    return draw.rng.choice(found).saved_at.date() if found else None


def version_of_day(draw: Draw, name: str = "file") -> Version | None:
    """The drawn file's version of the drawn day."""
    day = draw.values["day"]
    return next((row for row in versions_of(draw, draw.values[name]) if row.saved_at.date() == day), None)


def versions_listed(draw: Draw, name: str = "file") -> Any:
    """The look at the versions of the drawn file."""
    return [(tools.list_versions, {"path": draw.values[name]})]


def archive_name(draw: Draw) -> str:
    """A name for a new archive."""
    return f"{new_name(draw)}.zip"


PATH = Slot("path", says=("I mean {}.", "It is {}."))
FOLDER = Slot("folder", of=File, where=is_folder, withheld=0.4, says=("Into {}.", "{}, please."))
NAME = Slot("new_name", draw=new_name, withheld=0.3, says=("Call it {}.", "It should be called {}."))
