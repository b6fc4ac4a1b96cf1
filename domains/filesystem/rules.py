"""The workspace's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.paths import MAY_NOT, NO_SPACE
from toolgym.domains.filesystem.schema import File, Person, TrashEntry, Version
from toolgym.sandbox.kit.world import ToolCall, View, rule

HOUSE = "Larkfield"
KEPT_DAYS = 30
SHARE_DAYS = 90
SECRETS = "/secrets/"
_CHANGING = [
    tools.append_to_file,
    tools.replace_in_file,
    tools.delete_lines,
    tools.sort_lines,
    tools.restore_version,
    tools.remove_to_trash,
    tools.move,
]


def _there(path: str | None, target: str | None) -> ToolCall:
    return ToolCall(name="search_names", arguments={"name": (path or target or "").rsplit("/", 1)[-1]})


@rule(
    "What you may only read is not changed, moved, removed or locked: that takes the right to write, as the owner, as "
    "one of the group or as anybody.",
    why=f"{MAY_NOT}|only read|read-only|no right|not have the right|no write|may not change|not allowed to change",
    on=[*_CHANGING, tools.lock_file],
    reads=[tools.get_info],
)
def rights(
    path: View[File] | None = None, item: View[File] | None = None, version: View[Version] | None = None
) -> bool:
    given: Any = path or item or version
    return bool(given.row.my_rights == "write")


@rule(
    "What somebody has locked is changed, moved, removed and unlocked by that person alone.",
    why="It is locked by somebody else.|locked",
    on=[*_CHANGING, tools.lock_file, tools.unlock_file],
    reads=[tools.get_info],
)
def locked(
    owner: View[Person],
    path: View[File] | None = None,
    item: View[File] | None = None,
    version: View[Version] | None = None,
) -> bool:
    given: Any = path or item or version
    return given.row.locked_by in (None, owner.row.email)


@rule(
    "Rights and the group are set, and shares are given, by the owner of a file or folder alone.",
    why="Only its owner can do that.|owner|not yours|belongs to somebody else",
    on=[tools.set_rights, tools.set_group, tools.share],
    reads=[tools.get_info],
)
def owner_only(path: View[File], owner: View[Person]) -> bool:
    return path.row.owner_email == owner.row.email


@rule(
    "Your files come to no more bytes than you are allowed, with what is in the trash.",
    why=f"{NO_SPACE}|enough space|space|quota|no room|not enough room|full",
    on=[tools.copy, tools.unpack],
    reads=[tools.get_quota, tools.measure_folder, tools.get_info],
    looks={
        "quota": lambda: ToolCall(name="get_quota", arguments={}),
        "whole": lambda item: (
            ToolCall(name="measure_folder", arguments={"path": item.row.path})
            if item is not None and item.row.kind == "folder"
            else None
        ),
    },
    inside="quota",
)
def quota(
    quota: Mapping[str, int],
    whole: Mapping[str, int] | None,
    item: View[File] | None = None,
    archive: View[File] | None = None,
) -> bool:
    given: Any = item or archive
    return (whole["bytes"] if whole else given.row.bytes) <= quota["free"]


@rule(
    "Nothing is overwritten: where something is already, nothing is made, copied or moved to.",
    why="There is something of that name already.|exists already|already exists|already|taken|same name",
    on=[tools.create_folder, tools.create_file, tools.make_link, tools.copy, tools.move],
    reads=[tools.search_names],
    looks={"seen": lambda path, target: _there(path, target)},
    inside="taken",
)
def taken(seen: Mapping[str, Any], path: str | None = None, target: str | None = None) -> bool:
    wanted = path or target
    return wanted not in [item["path"] for item in seen["items"]]


@rule(
    "A folder is neither copied nor moved into itself.",
    why="That is inside the folder itself.|inside|into itself|within itself|itself",
    on=[tools.copy, tools.move],
    reads=[tools.get_info],
    inside="into_itself",
)
def into_itself(item: View[File], target: str) -> bool:
    return not target.startswith(item.row.path.rstrip("/") + "/")


@rule(
    "What was removed can be restored for 30 days; the 30th day is the last.",
    why="It has been in the trash for too long.|too long|30 days|thirty days|too old|too late|no longer",
    on=[tools.restore_from_trash],
    reads=[tools.list_trash],
)
def trash_30(trash: View[TrashEntry], now: datetime) -> bool:
    return (now.date() - trash.row.removed_at.date()).days <= KEPT_DAYS


@rule(
    "A share lasts 1 to 90 days: until tomorrow at the earliest.",
    why="A share lasts 1 to 90 days.|90 days|ninety days|too long|too far|today|past",
    on=[tools.share],
)
def share_term(until: date, now: datetime) -> bool:
    return 1 <= (until - now.date()).days <= SHARE_DAYS


@rule(
    "People of other companies are given the right to read, never to write.",
    why="People of other companies may only read.|only read|outside|other company|client|guest|not write",
    on=[tools.share],
    reads=[tools.list_groups],
    by="policy",
)
def outside_share(person: View[Person], rights: str) -> bool:
    return rights == "read" or person.row.company == HOUSE


@rule(
    "What is under /secrets is neither copied nor shared, and its content is written nowhere else.",
    why="What is under /secrets stays there.|secret",
    on=[tools.copy, tools.share],
    reads=[tools.get_info],
    by="policy",
)
def secrets(path: View[File] | None = None, item: View[File] | None = None) -> bool:
    given: Any = path or item
    return not given.row.path.startswith(SECRETS)
