"""How one thing of a workspace leads to another, in requests that are answered at once."""

from toolgym.domains.filesystem.schema import File, Share
from toolgym.sandbox.kit.goal import Relation

RELATIONS = (
    Relation(File, "target", says="what {it} leads to"),
    Relation(File, "owner_email", says="the owner of {it}"),
    Relation(File, "group_name", says="the group of {it}"),
    Relation(Share, "path", says="what {it} is about", by="of {it}", only="the only share of {it}"),
    Relation(
        Share,
        "email",
        says="the person of {it}",
        by="with {it}",
        only="the only share with {it}",
        first="the latest share with {it}",
    ),
)
