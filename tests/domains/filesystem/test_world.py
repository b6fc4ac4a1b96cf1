"""The workspace's own ways: paths, what is never overwritten, space, the trash, locks, versions and archives."""

from datetime import date, datetime
from typing import Any

import pytest

from toolgym.domains.filesystem.schema import File, Quota, Share, Version
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

ME = "mira.tan@larkfield.example"
OTHER = "mara.mbeki@larkfield.example"


@pytest.fixture
def session() -> Session:
    return Session("filesystem")


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def written(session: Session, path: str, *lines: str) -> str:
    return str(done(session, "create_file", path=path, text="".join(f"{line}\n" for line in lines))["path"])


def lines(session: Session, path: str) -> list[str]:
    return list(done(session, "read_file", path=path)["lines"])


def names(session: Session, path: str, **arguments: Any) -> list[str]:
    return [item["name"] for item in done(session, "list_folder", path=path, **arguments)["items"]]


# --- paths ---


def test_a_relative_path_begins_at_the_current_folder(session: Session) -> None:
    assert done(session, "where_am_i")["folder"] == "/home/mira.tan"
    assert done(session, "get_info", path="reports/../lists/./price-list.txt")["path"].endswith("lists/price-list.txt")
    done(session, "change_folder", path="reports")
    assert done(session, "get_info", path="../lists")["path"] == "/home/mira.tan/lists"
    assert refused(session, "get_info", path="reports") == "not_found"
    assert written(session, "here.txt", "a") == "/home/mira.tan/reports/here.txt"
    assert done(session, "change_folder", path="~")["folder"] == "/home/mira.tan"
    assert refused(session, "change_folder", path="lists/price-list.txt") == "invalid_argument"


def test_the_current_folder_follows_nobody_and_is_home_once_it_is_gone(session: Session) -> None:
    done(session, "change_folder", path="notes")
    done(session, "move", source=".", target="../memos")
    assert done(session, "where_am_i")["folder"] == "/home/mira.tan"
    assert len(session.diff()) > 5, "the folder's files are at other paths"


def test_to_change_the_folder_is_no_change_of_state(session: Session) -> None:
    done(session, "change_folder", path="reports")
    assert session.diff() == []


def test_what_others_keep_to_themselves_is_not_there(session: Session) -> None:
    assert refused(session, "get_info", path="/home/mara.mbeki/reports") == "not_found"
    assert refused(session, "read_file", path="/secrets/mara.mbeki-codes.txt") == "not_found"
    hits = done(session, "search_contents", text="door:")["items"]
    assert {hit["path"] for hit in hits} == {"/secrets/mira.tan-codes.txt"}
    assert refused(session, "create_file", path="/home/mara.mbeki/a.txt") == "not_found"


def test_a_link_leads_through_links_and_moves_alone(session: Session) -> None:
    end = "/home/mira.tan/reports/sales-february.txt"
    assert done(session, "resolve_link", path="newest")["path"] == end
    done(session, "move", source="newest", target="notes")
    assert done(session, "resolve_link", path="notes/newest")["path"] == end
    assert refused(session, "append_to_file", path="latest", text="x") == "invalid_argument", (
        "a link has its own rights"
    )
    done(session, "remove_to_trash", path=end)
    assert refused(session, "read_file", path="latest") == "not_found"
    done(session, "make_link", path="reports/sales-february.txt", target="latest")
    assert refused(session, "resolve_link", path="latest") == "not_found", "a circle ends"


# --- nothing is overwritten ---


def test_nothing_is_overwritten(session: Session) -> None:
    assert refused(session, "create_folder", path="reports") == "taken"
    assert refused(session, "create_folder", path="latest") == "taken", "a link has the name"
    assert refused(session, "create_file", path="lists/price-list.txt") == "taken"
    done(session, "copy", source="lists/price-list.txt", target="reports")
    assert refused(session, "copy", source="lists/price-list.txt", target="reports") == "taken"
    assert refused(session, "move", source="lists/price-list.txt", target="reports/price-list.txt") == "taken"
    assert refused(session, "create_file", path="nowhere/a.txt") == "not_found"
    assert refused(session, "create_file", path="latest/a.txt") == "invalid_argument"
    assert refused(session, "create_file", path="what?.txt") == "invalid_argument"
    assert done(session, "create_folder", path="a/b/c", parents=True)["path"] == "/home/mira.tan/a/b/c"
    assert refused(session, "create_folder", path="a/x/y") == "not_found"


def test_everything_goes_not_into_a_part_of_it(session: Session) -> None:
    assert refused(session, "copy", source="/", target="reports/all") == "into_itself"


def test_a_folder_goes_not_into_itself(session: Session) -> None:
    done(session, "create_folder", path="reports/old")
    for tool in ("copy", "move"):
        assert refused(session, tool, source="reports", target="reports/old") == "into_itself"
        assert refused(session, tool, source="reports", target="reports/new") == "into_itself"
    done(session, "copy", source="reports", target="reports-2")
    assert names(session, "reports-2") == names(session, "reports")


def test_the_home_and_what_others_hold_stay_where_they_are(session: Session) -> None:
    assert refused(session, "remove_to_trash", path="~") == "rights"
    assert refused(session, "move", source="~", target="/teams/platform") == "rights"
    assert refused(session, "create_file", path="/shared/mine.txt") == "rights"


# --- space ---


def test_space_holds_to_the_byte(session: Session) -> None:
    quota = session.database.find(Quota, email=ME)[0]
    assert quota.allowed - done(session, "get_quota")["used"] == done(session, "get_quota")["free"]
    deck = max(names(session, "slides"), key=lambda name: done(session, "get_info", path=f"slides/{name}")["bytes"])
    assert done(session, "get_info", path=f"slides/{deck}")["bytes"] == done(session, "get_quota")["free"]
    done(session, "copy", source=f"slides/{deck}", target="notes")
    assert done(session, "get_quota")["free"] == 0
    assert refused(session, "create_file", path="one.txt", text="1") == "quota"
    assert refused(session, "append_to_file", path="lists/price-list.txt", text="1") == "quota"
    assert refused(session, "copy", source="lists", target="notes") == "quota"
    assert refused(session, "unpack", archive=archive_of(session), folder="notes") == "quota"
    assert refused(session, "pack", paths=["lists"], archive="lists.zip") == "quota"
    done(session, "create_file", path="none.txt")
    in_trash = done(session, "get_quota")["in_trash"]
    done(session, "remove_to_trash", path=f"notes/{deck}")
    assert refused(session, "create_file", path="one.txt", text="1") == "quota", "the trash takes space"
    freed = done(session, "empty_trash")["bytes_freed"]
    assert done(session, "get_quota")["free"] == freed > in_trash
    assert refused(session, "empty_trash") == "no_change"


def archive_of(session: Session) -> str:
    return str(done(session, "search_names", name="*.zip", under="~")["items"][0]["path"])


def test_sizes_are_those_of_the_text_and_add_up(session: Session) -> None:
    written(session, "notes/a.txt", "zwölf")
    assert done(session, "count_lines", path="notes/a.txt") == {
        "path": "/home/mira.tan/notes/a.txt",
        "lines": 1,
        "words": 1,
        "bytes": 7,
    }
    measured = done(session, "measure_folder", path="notes")
    files = [item for item in done(session, "list_folder", path="notes")["items"] if item["kind"] == "file"]
    assert measured["bytes"] == sum(item["bytes"] for item in files)
    assert measured["files"] == len(files)


# --- the trash ---


def test_what_is_removed_comes_back_with_what_it_was(session: Session) -> None:
    before, versions = lines(session, "lists/price-list.txt"), done(session, "get_info", path="lists/price-list.txt")
    entry = done(session, "remove_to_trash", path="lists")
    assert refused(session, "get_info", path="lists") == "not_found"
    written(session, "lists", "a file of the folder's name")
    assert refused(session, "restore_from_trash", trash_id=entry["trash_id"]) == "taken"
    done(session, "move", source="lists", target="other")
    assert done(session, "restore_from_trash", trash_id=entry["trash_id"])["path"] == "/home/mira.tan/lists"
    assert lines(session, "lists/price-list.txt") == before
    assert done(session, "get_info", path="lists/price-list.txt") == versions
    again = done(session, "remove_to_trash", path="notes")
    done(session, "create_folder", path="notes")
    twice = done(session, "remove_to_trash", path="notes")
    assert again["trash_id"] != twice["trash_id"]
    assert again["bytes"] > twice["bytes"] == 0
    done(session, "restore_from_trash", trash_id=again["trash_id"])
    assert len(names(session, "notes")) == 5, "two things of one path in one minute stay apart"


def test_a_restored_thing_needs_its_folder(session: Session) -> None:
    entry = done(session, "remove_to_trash", path="lists/price-list.txt")
    done(session, "remove_to_trash", path="lists")
    assert refused(session, "restore_from_trash", trash_id=entry["trash_id"]) == "not_found"


def test_the_thirtieth_day_is_the_last(session: Session) -> None:
    other = Session("filesystem", task=next(task for task in owners() if ages(task) >= {30, 31}))
    for entry in done(other, "list_trash")["items"]:
        days = (other.database.now.date() - moment(entry["removed_at"])).days
        if days == 30:
            done(other, "restore_from_trash", trash_id=entry["trash_id"])
        elif days > 30:
            assert refused(other, "restore_from_trash", trash_id=entry["trash_id"]) == "trash_30"


def owners() -> list[Task]:
    domain = get_domain("filesystem")
    return [Task(id="", domain="filesystem", owner=key) for key in domain.owner_keys()]


def ages(task: Task) -> set[int]:
    other = Session("filesystem", task=task)
    now = other.database.now.date()
    return {(now - moment(entry["removed_at"])).days for entry in done(other, "list_trash")["items"]}


def moment(text: str) -> date:
    return datetime.fromisoformat(text).date()


def test_who_had_a_share_of_what_is_removed_loses_it(session: Session) -> None:
    path = done(session, "list_shares", state="active")["items"][0]["path"]
    done(session, "remove_to_trash", path=path)
    assert all(row.revoked for row in session.database.mine(Share) if row.path.endswith(path))


# --- rights, locks and shares ---


def test_others_rights_decide_who_may_do_what(session: Session) -> None:
    read, write = "/teams/platform/platform-handbook.txt", "/teams/platform/platform-minutes.txt"
    member = Session("filesystem", task=owners()[1])
    assert done(member, "get_info", path=read)["my_rights"] == "read"
    assert refused(member, "append_to_file", path=read, text="x") == "rights"
    assert refused(member, "remove_to_trash", path=read) == "rights"
    assert refused(member, "set_rights", path=write, who="group", rights="none") == "owner_only"
    done(member, "append_to_file", path=write, text="x")
    assert refused(member, "get_info", path="/teams/finance/finance-targets.txt") == "not_found"
    assert refused(session, "set_rights", path="notes", who="group", rights="none") == "no_change"
    assert refused(session, "set_group", path="notes", group="platform") == "no_change"
    ungrouped = {"path": "/shared/house-rules.txt", "who": "group", "rights": "read"}
    assert refused(session, "set_rights", **ungrouped) == "wrong_state", "it belongs to no group"


def test_a_lock_keeps_out_all_but_who_has_it(session: Session) -> None:
    path = "/teams/platform/platform-roadmap.txt"
    holder = done(session, "get_info", path=path)["locked_by"]
    assert holder not in (None, ME)
    for tool, arguments in (
        ("append_to_file", {"text": "x"}),
        ("remove_to_trash", {}),
        ("unlock_file", {}),
        ("lock_file", {}),
        ("sort_lines", {}),
    ):
        assert refused(session, tool, path=path, **arguments) == "locked"
    assert refused(session, "move", source=path, target="~") == "locked"
    assert refused(session, "remove_to_trash", path="/teams/platform") == "rights"
    done(session, "lock_file", path="lists/price-list.txt")
    assert refused(session, "lock_file", path="lists/price-list.txt") == "no_change"
    done(session, "append_to_file", path="lists/price-list.txt", text="x")
    done(session, "unlock_file", path="lists/price-list.txt")
    assert refused(session, "unlock_file", path="lists/price-list.txt") == "no_change"
    assert refused(session, "lock_file", path="lists") == "invalid_argument"


@pytest.mark.parametrize(
    ("until", "code"),
    [("2026-03-10", "share_term"), ("2026-03-11", ""), ("2026-06-08", ""), ("2026-06-09", "share_term")],
)
def test_a_share_lasts_one_to_ninety_days(session: Session, until: str, code: str) -> None:
    given = {"path": "lists", "person": OTHER, "rights": "read", "until": until}
    if code:
        assert refused(session, "share", **given) == code
    else:
        made = done(session, "share", **given)
        assert made["link"].endswith(made["share_id"])
        assert refused(session, "share", **given) == "no_change"
        assert done(session, "list_shares", path="lists")["items"][0]["state"] == "active"
        done(session, "revoke_share", share_id=made["share_id"])
        assert refused(session, "revoke_share", share_id=made["share_id"]) == "no_change"


def test_nobody_shares_with_themself_or_what_is_not_theirs(session: Session) -> None:
    given = {"rights": "read", "until": "2026-03-20"}
    assert refused(session, "share", path="lists", person=ME, **given) == "invalid_argument"
    member = Session("filesystem", task=owners()[1])
    assert refused(member, "share", path="/shared/house-rules.txt", person=ME, **given) == "owner_only"


# --- texts ---


def test_lines_are_counted_from_one_and_the_last_is_included(session: Session) -> None:
    path = written(session, "notes/n.txt", "a", "b", "c", "d")
    assert done(session, "delete_lines", path=path, line=2, through=3)["left"] == 2
    assert lines(session, path) == ["a", "d"]
    assert refused(session, "delete_lines", path=path, line=2, through=3) == "invalid_argument"
    assert refused(session, "delete_lines", path=path, line=2, through=1) == "invalid_argument"
    assert done(session, "read_file", path=path, from_line=2, lines=1)["lines"] == ["d"]
    assert done(session, "read_file", path=path, from_line=9)["lines"] == []


def test_words_are_replaced_once_or_everywhere(session: Session) -> None:
    path = written(session, "notes/n.txt", "red Red red", "red")
    assert done(session, "replace_in_file", path=path, old="red", new="blue")["replaced"] == 1
    assert done(session, "replace_in_file", path=path, old="red", new="green", every=True)["replaced"] == 2
    assert lines(session, path) == ["blue Red green", "green"]
    assert refused(session, "replace_in_file", path=path, old="red", new="x") == "not_found", "capitals matter"
    assert refused(session, "replace_in_file", path=path, old="Red", new="Red") == "no_change"


def test_lines_are_sorted_by_letter_or_number(session: Session) -> None:
    path = written(session, "notes/n.txt", "10 b", "9 a", "none", "9 a")
    done(session, "sort_lines", path=path)
    assert lines(session, path) == ["10 b", "9 a", "9 a", "none"]
    done(session, "sort_lines", path=path, numeric=True, descending=True, unique=True)
    assert lines(session, path) == ["10 b", "9 a", "none"]
    assert refused(session, "sort_lines", path=path, numeric=True, descending=True) == "no_change"


def test_every_change_keeps_the_text_before(session: Session) -> None:
    path = written(session, "notes/n.txt", "first")
    done(session, "append_to_file", path=path, text="second")
    kept = done(session, "list_versions", path=path)["items"]
    assert [row["bytes"] for row in kept] == [6]
    done(session, "restore_version", version_id=kept[0]["version_id"])
    assert lines(session, path) == ["first"]
    assert done(session, "get_info", path=path)["versions"] == 2
    assert refused(session, "restore_version", version_id=kept[0]["version_id"]) == "no_change"
    done(session, "move", source=path, target="lists")
    assert done(session, "get_info", path="lists/n.txt")["versions"] == 2, "they go where the file goes"
    assert not [row for row in session.diff() if row.table == Version.__tablename__]


def test_pictures_and_archives_are_no_text(session: Session) -> None:
    photo = done(session, "search_names", name="*.jpg", under="~")["items"][0]["path"]
    for path in (photo, archive_of(session), "reports"):
        assert refused(session, "read_file", path=path) == "invalid_argument"
    assert refused(session, "get_checksum", path="reports") == "invalid_argument"
    assert len(done(session, "get_checksum", path=photo)["checksum"]) == 8
    copied = done(session, "copy", source="lists/price-list.txt", target="notes")["path"]
    assert (
        done(session, "get_checksum", path=copied)["checksum"]
        == done(session, "get_checksum", path="lists/price-list.txt")["checksum"]
    )


def test_files_are_compared_line_by_line(session: Session) -> None:
    left, right = written(session, "l.txt", "a", "b", "c"), written(session, "r.txt", "a", "x", "c", "d")
    found = done(session, "compare_files", left=left, right=right)["differences"]
    assert [(each["left_from"], each["left_lines"], each["right_lines"]) for each in found] == [
        (2, ["b"], ["x"]),
        (4, [], ["d"]),
    ]
    assert done(session, "compare_files", left=left, right=left)["equal"]


def test_an_archive_holds_folders_and_gives_them_back(session: Session) -> None:
    assert refused(session, "pack", paths=["lists"], archive="lists.tar") == "invalid_argument"
    made = done(session, "pack", paths=["lists", "notes"], archive="both.zip")
    whole = sum(done(session, "measure_folder", path=path)["bytes"] for path in ("lists", "notes"))
    assert done(session, "get_info", path="both.zip")["bytes"] == whole
    assert made["files"] == len(done(session, "list_archive", archive="both.zip")["members"])
    assert refused(session, "unpack", archive="both.zip", folder=".") == "taken"
    assert refused(session, "unpack", archive="both.zip", folder="latest") == "invalid_argument"
    assert refused(session, "unpack", archive="latest", folder="reports") == "invalid_argument"
    assert refused(session, "unpack", archive="both.zip", folder="reports", only=["none"]) == "not_found"
    done(session, "unpack", archive="both.zip", folder="reports", only=["lists", "lists/price-list.txt"])
    assert names(session, "reports/lists") == ["price-list.txt"]
    copied = done(session, "copy", source="lists/price-list.txt", target="offers")["path"]
    assert refused(session, "pack", paths=["lists/price-list.txt", copied], archive="two.zip") == "conflict"


# --- searching ---


def test_names_are_found_by_patterns_and_days(session: Session) -> None:
    def found(name: str, **more: Any) -> list[str]:
        return [item["name"] for item in done(session, "search_names", name=name, **more)["items"]]

    assert set(found("branch-*.TXT", under="reports")) == {f"branch-{each}.txt" for each in ("north", "south", "west")}
    assert found("price-lis?.txt") == ["price-list.txt"]
    assert found("price") == [], "a name is the whole name"
    assert found("[a-z]*") == []
    assert found("latest", kind="file") == []
    done(session, "append_to_file", path="reports/branch-west.txt", text="x")
    assert "branch-west.txt" in found("*", changed_since="2026-03-10", under="reports")
    assert found("*", changed_since="2026-03-11") == []


def test_a_list_has_twenty_rows_and_hides_what_begins_with_a_dot(session: Session) -> None:
    assert ".profile" not in names(session, ".")
    assert ".profile" in names(session, ".", hidden=True)
    for number in range(25):
        written(session, f"notes/n{number:02d}.txt", "word")
    assert len(names(session, "notes")) == 20
    assert len(names(session, "notes", page=2)) == 10
    assert names(session, "notes", page=3) == []
    hits = done(session, "search_contents", text="WORD", under="notes", page=2)
    assert (len(hits["items"]), hits["pages"], hits["total"]) == (5, 2, 25)
    assert (
        names(session, "slides", sort="size")[0]
        == done(session, "measure_folder", path="slides")["largest"][0]["path"].rsplit("/", 1)[-1]
    )
    tree = done(session, "show_tree", path=".", levels=1)["names"]
    assert "reports/" in tree
    assert not any("branch" in name for name in tree)


def is_whole(session: Session) -> bool:
    """Whether every node is in a folder, and versions and shares are of nodes that are there."""
    nodes = {row.path: row for row in session.database.find(File)}
    parents = all(
        row.folder in nodes and nodes[row.folder].kind == "folder"
        for path, row in nodes.items()
        if path != "/" and not path.startswith("/.trash/")
    )
    return parents and all(row.path in nodes for row in session.database.find(Version))


@pytest.mark.slow
def test_right_calls_of_tasks_leave_a_whole_tree() -> None:
    for task in Generator(get_domain("filesystem"), seed=2).tasks(40):
        session = Session("filesystem", task=task)
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        assert is_whole(session), task.id
