"""The network's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from toolgym.domains.social_media import tools
from toolgym.domains.social_media.schema import Account, Post
from toolgym.sandbox.kit.world import View, rule

A_DAY = 20
WIDTH = {"close": 0, "followers": 1, "public": 2}
"""How many see a post of each audience, the fewest first."""


@rule(
    "An account posts at most 20 times a day, replies among them, and what was deleted since counts as well.",
    why="There have been 20 posts today.|20 posts|20 times|twenty|limit|tomorrow",
    on=[tools.create_post],
    reads=[tools.get_my_profile],
)
def daily_posts(owner: View[Account]) -> bool:
    return owner.row.posts_today < A_DAY


@rule(
    "Only what everybody may see, of accounts that are not private, is reposted or quoted.",
    why="This post is not for everybody and cannot be passed on.|not for everybody|private|not public|passed on",
    on=[tools.create_post, tools.react],
    reads=[tools.get_post],
)
def shared_public(
    quote: View[Post] | None = None, post: View[Post] | None = None, kind: str = "repost", on: bool = True
) -> bool:
    passed_on = quote or post
    if passed_on is None or kind != "repost" or not on:
        return True
    return passed_on.row.audience == "public" and not passed_on.row.author_private


@rule(
    "A reply is not for more people than the post that it replies to.",
    why="The reply would be seen by more people than the post itself.|more people|wider|narrower|audience of the post",
    on=[tools.create_post],
    reads=[tools.get_post],
)
def narrow_replies(audience: str, reply_to: View[Post] | None = None) -> bool:
    return reply_to is None or WIDTH[audience] <= WIDTH[reply_to.row.audience]


@rule(
    "Only the owner's own posts are deleted.",
    why="This post is somebody else's and is not the owner's to delete.|somebody else|someone else|not yours|own posts",
    on=[tools.delete_post],
    reads=[tools.get_post],
)
def own_posts(post: View[Post], owner: View[Account]) -> bool:
    return post.row.author_handle == owner.row.handle


@rule(
    "A post that others quote stays, as the quotes would lose what they speak of.",
    why="Others quote this post, so it stays.|quote|quoted",
    on=[tools.delete_post],
    reads=[tools.get_post],
    by="policy",
)
def quoted_stays(post: View[Post]) -> bool:
    return post.row.quotes == 0


@rule(
    "Whom the owner has blocked is neither followed, muted nor written to before the block is lifted.",
    why="The owner has blocked this account; the block would have to be lifted first.|blocked|block",
    on=[tools.set_relation, tools.send_direct_message],
    reads=[tools.get_account],
)
def lift_first(account: View[Account], relation: str = "follow") -> bool:
    return relation in ("none", "block") or "block" not in account.row.relation


@rule(
    "Who does not follow the owner gets one message, and the next when it was answered.",
    why="This account does not follow the owner and has not answered yet.|not answered|has to answer|one message",
    on=[tools.send_direct_message],
    reads=[tools.get_account],
)
def one_message(account: View[Account]) -> bool:
    return account.row.follows_me or not account.row.has_to_answer
