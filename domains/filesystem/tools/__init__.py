"""What the workspace lets an agent do for one of its members."""

from toolgym.domains.filesystem.tools.looking import (
    change_folder,
    get_info,
    get_quota,
    list_folder,
    measure_folder,
    resolve_link,
    show_tree,
    where_am_i,
)
from toolgym.domains.filesystem.tools.moving import (
    copy,
    empty_trash,
    list_trash,
    move,
    remove_to_trash,
    restore_from_trash,
)
from toolgym.domains.filesystem.tools.reading import (
    compare_files,
    count_lines,
    get_checksum,
    read_file,
    search_contents,
    search_names,
)
from toolgym.domains.filesystem.tools.rights import (
    list_groups,
    list_shares,
    lock_file,
    revoke_share,
    set_group,
    set_rights,
    share,
    unlock_file,
)
from toolgym.domains.filesystem.tools.versions import list_archive, list_versions, pack, restore_version, unpack
from toolgym.domains.filesystem.tools.writing import (
    append_to_file,
    create_file,
    create_folder,
    delete_lines,
    make_link,
    replace_in_file,
    sort_lines,
)
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet(
    [
        where_am_i, change_folder, list_folder, show_tree, get_info, read_file, search_names, search_contents,
        count_lines, compare_files, get_checksum, measure_folder, get_quota, create_folder, create_file,
        append_to_file, replace_in_file, delete_lines, sort_lines, copy, move, remove_to_trash, list_trash,
        restore_from_trash, empty_trash, make_link, resolve_link, set_rights, set_group, list_groups, lock_file,
        unlock_file, pack, list_archive, unpack, list_versions, restore_version, share, list_shares, revoke_share,
    ]
)  # fmt: skip
"""In the order in which agents see them."""
