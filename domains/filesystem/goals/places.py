"""What people want moved, copied, made, removed and brought back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import (
    FOLDER,
    NAME,
    PATH,
    into,
    is_copied,
    is_folder,
    is_own,
    may_go,
    named,
    new_name,
)
from toolgym.domains.filesystem.rules import into_itself
from toolgym.domains.filesystem.schema import File
from toolgym.domains.filesystem.tools.moving import copy, empty_trash, move, remove_to_trash, restore_from_trash
from toolgym.domains.filesystem.tools.writing import create_folder, make_link
from toolgym.sandbox.kit.goal import Draw, Goal, Slot, Tell

ITEM = Slot("item", where=may_go, says=("I mean {}.", "It is {}."))
OWN_FOLDER = replace(FOLDER, where=lambda node: is_folder(node) and is_own(node))


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
        [*[new_name(draw) + ending for _ in range(3)], *draw.rng.sample(beside, min(1, len(beside)))]
    )


def _is_large(file: Any) -> bool:
    """Whether a copy of it needs room."""
    return bool(is_own(file) and file.row.name.endswith(".pptx"))


def _folder_name(draw: Draw) -> str:
    """A new name, now and then that of a folder or file that is there."""
    beside = [row.name for row in draw.rows(File) if row.folder == draw.values["folder"].path]
    return draw.rng.choice([*[new_name(draw) for _ in range(3)], *draw.rng.sample(beside, min(1, len(beside)))])


PLACES = (
    Goal(
        copy,
        verbs=("copy",),
        says=(
            "Copy {item} to {folder}.",
            "Somebody needs {item} elsewhere too: copy it into {folder}.",
            "I need {item} a second time, so copy it to {folder}.",
            "Can you copy {item}[ to {folder}]?",
            "{item} should be in two places; copy it into {folder}.",
            "Leave {item} where it is, but copy it to {folder}.",
            "Duplicate {item}[ into {folder}], please.",
            "I want {item} twice[: copy it to {folder}].",
            "Would you copy {item} over to {folder}?",
            "Take {item} and make a copy that goes into {folder}.",
            "Copy {item} for me[; it goes into {folder}].",
            "Before I change {item}, copy it to {folder}.",
        ),
        slots=(replace(ITEM, where=is_copied), FOLDER),
        worked_out={"target": into("item")},
        tells=(Tell("path", kind="text"),),
        where=_is_elsewhere,
    ),
    Goal(
        copy,
        name="backup_within",
        against=into_itself,
        verbs=("copy",),
        says=(
            "Copy {item} into itself, as a backup.",
            "I want a backup of {item} that lies in that same folder. Copy it there.",
            "Keep a copy of {item} inside it, please.",
            "Please copy {item} into the very same folder, so that all of it is there twice.",
            "Can you copy {item} into itself?",
            "Before I change things in {item}, copy the whole folder into itself.",
            "{item} needs a backup; copy it to a place inside itself.",
            "Make a copy of {item} and put the copy inside {item} too.",
            "Would you copy {item} into itself, under the same name?",
            "Let {item} hold a copy of itself.",
            "Duplicate {item}, with the copy as a folder inside the old one.",
            "I'd like {item} copied into itself, just to be safe.",
        ),
        slots=(replace(ITEM, where=lambda node: is_folder(node) and is_own(node)),),
        worked_out={"target": _within},
        share=0.3,
    ),
    Goal(
        move,
        verbs=("move", "put"),
        says=(
            "Move {item} to {folder}.",
            "Please put {item} into {folder}.",
            "{item} has to go into {folder}; move it there.",
            "Can you move {item}[ into {folder}]?",
            "I would rather see {item} moved to {folder}.",
            "{item} is in the wrong place[; please move it to {folder}].",
            "Take {item} and move it over to {folder}.",
            "Let {item} go into {folder}.",
            "Clear {item} away, into {folder}, please.",
            "Would you shift {item}[ to {folder}]?",
            "People look for {item} elsewhere, so please move it to {folder}.",
            "Move {item}[ into {folder}] and leave nothing behind.",
        ),
        slots=(ITEM, FOLDER),
        worked_out={"target": into("item")},
        where=_is_elsewhere,
    ),
    Goal(
        move,
        name="rename",
        verbs=("rename", "call"),
        says=(
            "Rename {item} to {new_name}.",
            "Please call {item} {new_name} from now on.",
            "{item} should be called {new_name}.",
            "Can you rename {item}[ to {new_name}]?",
            "I want another name for {item}[: {new_name}].",
            "Give {item} the name {new_name}, please.",
            "{item} has a bad name[; make it {new_name}].",
            "Change the name of {item}[ to {new_name}].",
            "Let {item} be {new_name} instead.",
            "Would you give {item} a new name[, namely {new_name}]?",
            "The name of {item} is confusing. Rename it to {new_name}.",
            "I'd like {item} renamed[, to {new_name}].",
        ),
        slots=(
            ITEM,
            replace(NAME, draw=_other_name),
        ),
        worked_out={"target": _renamed},
    ),
    Goal(
        create_folder,
        name="new_folder",
        verbs=("make", "create"),
        says=(
            "Make a folder called {new_name} in {folder}.",
            "Please create the folder {new_name} in {folder}.",
            "I need a new folder[, {new_name},] in {folder}.",
            "Can you set up a folder {new_name} in {folder}?",
            "{folder} should get a subfolder called {new_name}.",
            "Add a folder to {folder}[ and call it {new_name}].",
            "In {folder}, please make a new folder[ with the name {new_name}].",
            "Let there be a folder {new_name} in {folder}.",
            "I want to sort things in {folder}, so make a folder {new_name} there.",
            "Would you put an empty folder[ named {new_name}] into {folder}?",
            "Start a new folder in {folder}[: {new_name}].",
            "A folder {new_name} is missing in {folder}; create it, please.",
        ),
        slots=(
            replace(FOLDER, withheld=0.0, where=lambda node: is_folder(node) and node.row.path.count("/") > 2),
            replace(NAME, draw=_folder_name),
        ),
        worked_out={"path": named},
    ),
    Goal(
        make_link,
        name="shortcut",
        verbs=("make", "link"),
        says=(
            "Make a link called {new_name} in {folder} that leads to {original}.",
            "In {folder}, please put a shortcut to {original}[ and call it {new_name}].",
            "There should be a quick way to {original} in {folder}; make a link {new_name} there.",
            "Can you make a link to {original} in {folder}[, called {new_name}]?",
            "Create a shortcut {new_name} in {folder}, leading to {original}.",
            "{folder} should have a link to {original}[, named {new_name}].",
            "Add a link to {original} in {folder}[; its name is {new_name}].",
            "Set up {new_name} in {folder} as a shortcut to {original}.",
            "Inside {folder} there should be a link[, {new_name},] to {original}.",
            "Let {new_name} in {folder} lead to {original}; a link will do.",
            "I need a shortcut in {folder} that leads to {original}[; name it {new_name}].",
            "Would you make {new_name}, a link to {original}, in {folder}?",
        ),
        slots=(Slot("original", where=may_go, says=("It leads to {}.",)), replace(OWN_FOLDER, withheld=0.0), NAME),
        worked_out={"path": named},
        share=0.7,
    ),
    Goal(
        remove_to_trash,
        name="remove",
        verbs=("delete", "remove"),
        says=(
            "Delete {path}.",
            "Please put {path} into the trash.",
            "{path} can go; remove it.",
            "{path} has had its day; delete it.",
            "Can you throw {path} away?",
            "Get rid of {path}, please.",
            "{path} is out of date, so delete it.",
            "Remove {path} for me.",
            "Take {path} away, it belongs in the trash.",
            "Would you bin {path}?",
            "The team has stopped using {path}. Delete it, please.",
            "I want {path} gone.",
        ),
        slots=(replace(PATH, where=may_go),),
    ),
    Goal(
        restore_from_trash,
        name="rescue",
        verbs=("restore", "recover"),
        says=(
            "I deleted {trash} by mistake. Please bring it back.",
            "Restore {trash} from the trash.",
            "Can you get {trash} back?",
            "{trash} should not be in the trash; put it back.",
            "Please recover {trash}.",
            "I still need {trash}; take it out of the trash.",
            "Undelete {trash}, please.",
            "I threw away {trash} too early. Bring it back.",
            "Where did {trash} go? I want it back in its place.",
            "Would you rescue {trash} from the trash?",
            "Put {trash} back where it was.",
            "It was wrong to delete {trash}; please restore it.",
        ),
        slots=(Slot("trash", says=("I mean {}.",)),),
        tells=(Tell("path", kind="text"),),
    ),
    Goal(
        empty_trash,
        name="make_room",
        verbs=("empty", "free"),
        says=(
            "Empty my trash, and then copy {item} to {folder}.",
            "I cannot save anything; empty the trash, so that {item} can be copied to {folder}.",
            "Please empty the trash for good. After that, copy {item} into {folder}.",
            "Can you clear out my trash and then copy {item} to {folder}?",
            "What is in the trash can go for good; then there is room to copy {item} into {folder}.",
            "I need room for a copy: please empty the trash and copy {item} to {folder}.",
            "My space is running out. Empty the trash first, then copy {item} into {folder}.",
            "Would you empty the trash and copy {item} over to {folder} once that is done?",
            "Free what the trash takes up and copy {item} to {folder}.",
            "Do two things for me: empty the trash, then copy {item} into {folder}.",
            "Make some room by emptying the trash; I want {item} copied to {folder}.",
            "First the trash has to be emptied; after that please copy {item} to {folder}.",
        ),
        slots=(Slot("item", of=File, where=_is_large), FOLDER),
        also=lambda draw: [(copy, {"item": draw.values["item"], "target": into("item")(draw)})],
        tells=(Tell("bytes_freed", kind="number", near=("bytes", "byte", "freed", "free")),),
        where=_is_elsewhere,
        share=0.6,
    ),
)
