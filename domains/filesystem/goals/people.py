"""Who may do what: rights, groups, locks and shares."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolgym.domains.filesystem.goals.draws import PATH, is_copied, is_file, later, may_go
from toolgym.domains.filesystem.tools.rights import lock_file, revoke_share, set_group, set_rights, share, unlock_file
from toolgym.sandbox.kit.goal import Goal, Slot, Tell


def _is_closed(node: Any) -> bool:
    return may_go(node) and node.row.group_rights != "write"


ANYTHING = replace(PATH, where=may_go)
FILE = replace(PATH, where=lambda node: is_file(node) and may_go(node))
RIGHTS = {"none": "nothing at all", "read": "read it", "write": "read and write it"}

PEOPLE = (
    Goal(
        set_rights,
        name="let_group_write",
        verbs=("allow", "open"),
        fixed={"who": "group", "rights": "write"},
        says=(
            "Allow the group of {path} to write in it.",
            "The group should be able to change {path}.",
            "Please give the group of {path} the right to write.",
            "Can you allow the group to edit {path}?",
            "My team must be able to write to {path}; open it for its group.",
            "{path} is for the group to work on, so let them write.",
            "I want the group of {path} to be able to change it.",
            "Give its group write access to {path}.",
            "Open {path} for writing by its group, please.",
            "From now on the group may edit {path}.",
            "Would you set {path} so that its group can write?",
            "The group of {path} could only read so far; let it write.",
        ),
        slots=(replace(PATH, where=_is_closed),),
    ),
    Goal(
        set_rights,
        name="set_others",
        verbs=("allow", "permit"),
        fixed={"who": "others"},
        says=(
            "Set {path} so that others may {rights}.",
            "People outside its group get new rights on {path}: they may {rights}. Please set that.",
            "When it comes to {path}, people outside the group may {rights}; set it that way.",
            "Those outside the group should get these rights on {path}: they may {rights}.",
            "Allow others to {rights} where {path} is concerned.",
            "Whoever is not in the group of {path} may {rights}. Set that, please.",
            "Change what others may do with {path}[: they may {rights}].",
            "With {path}, people outside the group may {rights} from now on.",
            "Set {path} up like this: others may {rights}.",
            "I want to change the rights of others on {path}[: they may {rights}].",
            "Can you set the rights of others on {path}[? They may {rights}.|?]",
            "As for {path}, whoever is not in the group may {rights}.",
        ),
        slots=(
            ANYTHING,
            Slot("rights", draw=("read", "write"), withheld=0.3, words=RIGHTS, says=("They may {}.",)),
        ),
        where=lambda path, rights: path.row.others_rights != rights,
    ),
    Goal(
        set_rights,
        name="close_to_others",
        verbs=("close", "hide"),
        fixed={"who": "others", "rights": "none"},
        says=(
            "Only its group should see {path}; close it to others.",
            "Please close {path} to those who are not in its group.",
            "Take away the rights of others on {path}.",
            "Hide {path} from others.",
            "Can you make {path} invisible to those outside its group?",
            "{path} is nobody's business but the group's; close it to others.",
            "I do not want others to read {path}.",
            "Others should not have any access to {path}.",
            "Make {path} private to its group, please.",
            "Strangers can read {path}; stop that.",
            "Would you keep others away from {path}?",
            "Shut {path} off from those who are not in the group.",
        ),
        slots=(ANYTHING,),
        where=lambda path: path.row.others_rights != "none",
        share=0.3,
    ),
    Goal(
        set_group,
        verbs=("give", "assign"),
        says=(
            "Give {path} to {group}.",
            "Please make {path} belong to {group}.",
            "{path} should be with {group}.",
            "Can you assign {path} to another group[, to {group}]?",
            "Change the group of {path}[ to {group}].",
            "From now on {path} belongs to {group}.",
            "Set {group} as the one that {path} belongs to.",
            "{path} is in the wrong group[; {group} is right].",
            "I want {path} to belong to {group}.",
            "Hand {path} over to {group}, please.",
            "Let {path} be in {group} instead.",
            "Would you put {path} with {group}?",
        ),
        slots=(ANYTHING, Slot("group", withheld=0.4, says=("To {}.", "{}, please."))),
        where=lambda path, group: path.row.group_name != group.row.group_name,
    ),
    Goal(
        lock_file,
        name="lock",
        verbs=("lock",),
        says=(
            "Lock {path}.",
            "Please lock {path} so that nobody else changes it.",
            "I am working on {path}; lock it for me.",
            "Can you keep others from writing to {path}? A lock will do.",
            "{path} should be locked while I edit it.",
            "Put a lock on {path}, please.",
            "Only I should change {path} for now, so lock it.",
            "I'd like {path} locked.",
            "Would you lock {path} until I am done?",
            "Make sure only I can change {path}: lock it.",
            "Let others only read {path}; lock it, please.",
            "Before anybody gets in the way, lock {path}.",
        ),
        slots=(FILE,),
    ),
    Goal(
        unlock_file,
        name="unlock",
        verbs=("unlock", "release"),
        says=(
            "Unlock {path}.",
            "Please take the lock off {path}.",
            "I am done with {path}; unlock it.",
            "Can you release {path} so that the others can work on it?",
            "{path} need not be locked any more.",
            "Remove the lock from {path}, please.",
            "Others are waiting for {path}. Unlock it.",
            "The lock on {path} can go.",
            "Would you unlock {path} for the team?",
            "I'd like {path} unlocked.",
            "Let the others write to {path} again: unlock it.",
            "Undo the lock on {path}, please.",
        ),
        slots=(replace(PATH, where=lambda node: node.row.locked_by is not None),),
    ),
    Goal(
        share,
        verbs=("share", "give"),
        says=(
            "Give {person} access to {path}[ until {until}], so that they can {rights} it.",
            "Please share {path} with {person}[ until {until}]; they may {rights} it.",
            "{person} needs {path}[ until {until}]. Let them {rights} it.",
            "Can you share {path} with {person}[, until {until}]? They are to {rights} it.",
            "Let {person} {rights} {path}[ until {until}].",
            "I want {person} to be able to {rights} {path}[, up to {until}].",
            "Send {person} a link by which they can {rights} {path}[ until {until}].",
            "Create a share of {path} for {person}[, ending on {until}], to {rights} it.",
            "{person} asked for {path}; let them {rights} it[ until {until}].",
            "Share {path}[ until {until}] with {person}, who may {rights} it.",
            "Would you open {path} for {person}[ until {until}]? They should be able to {rights} it.",
            "Set up access to {path} for {person}, to {rights} it[, until {until}].",
        ),
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
        revoke_share,
        name="unshare",
        verbs=("end", "revoke", "stop"),
        says=(
            "Please end {share}.",
            "Withdraw {share}.",
            "{share} should end now.",
            "Can you revoke {share}?",
            "I want to stop {share}.",
            "Put an end to {share}, please.",
            "We no longer work together, so revoke {share}.",
            "Cancel {share} today.",
            "{share} is not needed any more; end it.",
            "Would you withdraw {share}?",
            "Stop {share} for me.",
            "It is time that {share} ends; please see to it.",
        ),
        slots=(Slot("share", where=lambda share: share.row.state == "active", says=("I mean {}.",)),),
    ),
)
