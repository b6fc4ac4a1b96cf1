"""Who may do what: rights, groups, locks and shares."""

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem import tools
from toolgym.domains.filesystem.goals.draws import PATH, is_copied, is_file, later, may_go
from toolgym.sandbox.kit.goal import Goal, Slot, Tell


def _is_closed(node: Any) -> bool:
    return may_go(node) and node.row.group_rights != "write"


ANYTHING = replace(PATH, where=may_go)
FILE = replace(PATH, where=lambda node: is_file(node) and may_go(node))
RIGHTS = {"none": "nothing at all", "read": "read it", "write": "read and write it"}

PEOPLE = (
    Goal(
        tools.set_rights,
        name="let_group_write",
        fixed={"who": "group", "rights": "write"},
        slots=(replace(PATH, where=_is_closed),),
    ),
    Goal(
        tools.set_rights,
        name="set_others",
        fixed={"who": "others"},
        slots=(ANYTHING, Slot("rights", draw=("read", "write"), withheld=0.3, words=RIGHTS, says=("They may {}.",))),
        where=lambda path, rights: path.row.others_rights != rights,
    ),
    Goal(
        tools.set_rights,
        name="close_to_others",
        fixed={"who": "others", "rights": "none"},
        slots=(ANYTHING,),
        where=lambda path: path.row.others_rights != "none",
        share=0.3,
    ),
    Goal(
        tools.set_group,
        slots=(ANYTHING, Slot("group", withheld=0.4, says=("To {}.", "{}, please."))),
        where=lambda path, group: path.row.group_name != group.row.group_name,
    ),
    Goal(tools.lock_file, name="lock", slots=(FILE,)),
    Goal(tools.unlock_file, name="unlock", slots=(replace(PATH, where=lambda node: node.row.locked_by is not None),)),
    Goal(
        tools.share,
        slots=(
            replace(PATH, where=is_copied),
            Slot("person", withheld=0.2, says=("With {}.", "It is for {}.")),
            Slot("rights", words={"read": "read", "write": "edit"}, says=("They may {} it.",)),
            Slot("until", withheld=0.4, draw=later, says=("Until {}.", "Up to {}.")),
        ),
        tells=(Tell("link", kind="text"),),
        share=2.0,
    ),
    Goal(
        tools.revoke_share,
        name="unshare",
        slots=(Slot("share", where=lambda share: share.row.state == "active", says=("I mean {}.",)),),
    ),
)
