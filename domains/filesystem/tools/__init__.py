"""What the workspace lets an agent do for one of its members."""

from toolgym.domains.filesystem.tools import looking, moving, reading, rights, versions, writing
from toolgym.sandbox.kit.tool import ToolSet

TOOLS = ToolSet(
    [
        looking.where_am_i,
        looking.change_folder,
        looking.list_folder,
        looking.show_tree,
        looking.get_info,
        reading,
        looking.measure_folder,
        looking.get_quota,
        writing.create_folder,
        writing.create_file,
        writing.append_to_file,
        writing.replace_in_file,
        writing.delete_lines,
        writing.sort_lines,
        moving,
        writing.make_link,
        looking.resolve_link,
        rights.set_rights,
        rights.set_group,
        rights.list_groups,
        rights.lock_file,
        rights.unlock_file,
        versions,
        rights.share,
        rights.list_shares,
        rights.revoke_share,
    ]
)
"""In the order in which agents see them."""
