"""What people want moved, copied, made, removed and brought back."""

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals import draws
from toolgym.domains.filesystem.rules import into_itself
from toolgym.domains.filesystem.schema import File
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

ITEM = Slot("item", where=draws.may_go, says=("I mean {}.", "It is {}."))
OWN_FOLDER = replace(draws.FOLDER, where=lambda node: draws.is_folder(node) and draws.is_own(node))


def _is_elsewhere(item: Any, folder: Any) -> bool:
    """Whether a folder is not the one that the item is in, nor the item or one within it, as nobody would say."""
    inside = f"{folder.row.path}/".startswith(f"{item.row.path}/")
    return not inside and bool(item.row.path.rsplit("/", 1)[0] != folder.row.path)


def _within(draw: Draw) -> str:
    """The path of a folder's copy in itself."""
    item = draw.values["item"]
    return f"{item.path}/{item.name}"


def _renamed(draw: Draw) -> str:
    item = draw.values["item"]
    return f"{item.folder}/{draw.values['new_name']}"


def _other_name(draw: Draw) -> str:
    """A new name with the old ending, now and then one that is taken."""
    item = draw.values["item"]
    ending = item.name[item.name.rindex(".") :] if item.kind == "file" else ""
    beside = [row.name for row in draw.rows(File) if row.folder == item.folder and row.kind == "file" != row.path]
    beside = [name for name in beside if name.endswith(ending) and name != item.name and ending]
    return draw.rng.choice(
        [*[draws.new_name(draw) + ending for _ in range(3)], *draw.rng.sample(beside, min(1, len(beside)))]
    )


def _is_large(file: Any) -> bool:
    """Whether a copy of it needs room."""
    return bool(draws.is_own(file) and file.row.name.endswith(".pptx"))


def _folder_name(draw: Draw) -> str:
    """A new name, now and then that of a folder or file that is there."""
    beside = [row.name for row in draw.rows(File) if row.folder == draw.values["folder"].path]
    return draw.rng.choice([*[draws.new_name(draw) for _ in range(3)], *draw.rng.sample(beside, min(1, len(beside)))])


PLACES = (
    Goal(
        tools.copy,
        slots=(replace(ITEM, where=draws.is_copied), draws.FOLDER),
        worked_out={"target": draws.into("item")},
        tells=(Tell("path", kind="text"),),
        where=_is_elsewhere,
    ),
    Goal(
        tools.copy,
        name="backup_within",
        against=into_itself,
        slots=(replace(ITEM, where=lambda node: draws.is_folder(node) and draws.is_own(node)),),
        worked_out={"target": _within},
        share=0.3,
    ),
    Goal(tools.move, slots=(ITEM, draws.FOLDER), worked_out={"target": draws.into("item")}, where=_is_elsewhere),
    Goal(
        tools.move, name="rename", slots=(ITEM, replace(draws.NAME, draw=_other_name)), worked_out={"target": _renamed}
    ),
    Goal(
        tools.create_folder,
        name="new_folder",
        slots=(
            replace(
                draws.FOLDER, withheld=0.0, where=lambda node: draws.is_folder(node) and node.row.path.count("/") > 2
            ),
            replace(draws.NAME, draw=_folder_name),
        ),
        worked_out={"path": draws.named},
    ),
    Goal(
        tools.make_link,
        name="shortcut",
        slots=(
            Slot("original", where=draws.may_go, says=("It leads to {}.",)),
            replace(OWN_FOLDER, withheld=0.0),
            draws.NAME,
        ),
        worked_out={"path": draws.named},
        share=0.7,
    ),
    Goal(tools.remove_to_trash, name="remove", slots=(replace(draws.PATH, where=draws.may_go),)),
    Goal(
        tools.restore_from_trash,
        name="rescue",
        slots=(Slot("trash", says=("I mean {}.",)),),
        tells=(Tell("path", kind="text"),),
    ),
    Goal(
        tools.empty_trash,
        name="make_room",
        slots=(Slot("item", of=File, where=_is_large), draws.FOLDER),
        also=lambda draw: [(tools.copy, {"item": draw.values["item"], "target": draws.into("item")(draw)})],
        tells=(Tell("bytes_freed", kind="number", near=("bytes", "byte", "freed", "free")),),
        where=_is_elsewhere,
        share=0.6,
    ),
)
