"""Verbs by what they tell of an action: of doing, of consent, those that say little, those that carry a noun."""

from __future__ import annotations

DOING = frozenset(
    "close delete remove cancel open create add change update upgrade downgrade replace return exchange refund block "
    "unblock freeze unfreeze unlock lock suspend resume terminate transfer send pay move shift book reserve release "
    "buy "
    "sell subscribe unsubscribe enroll register activate deactivate reactivate enable disable reset waive donate "
    "invest "
    "withdraw deposit borrow lend renew extend shorten reschedule postpone delay swap switch modify edit stop end "
    "begin "
    "split merge invite revoke grant dispute forward archive restore erase wipe "
    "rename assign reassign unassign ship deliver redirect discard dismiss terminate issue raise lower increase reduce "
    "clear empty void invalidate disconnect connect install uninstall pause order rent hire refill "
    "prescribe dispense bid relist publish unpublish share unshare compensate reimburse convert settle".split()
)
"""Verbs of doing that count although no world declares them: what is promised with one is another action."""
NEUTRAL = frozenset(
    "be have need like love want wish know see look check verify confirm ask tell explain note remind proceed continue "
    "go do make take get use help assist work try process arrange place complete finish finalize finalise execute "
    "carry "
    "perform handle initiate schedule request prepare enter record log run happen let give show provide review "
    "summarize summarise recap repeat read understand appreciate say suggest recommend offer wait hold follow come "
    "mean "
    "receive appear arrive reach contact email notify inform put set submit start call advise mention point clarify "
    "think believe hope assume expect require recommend double apologize apologise thank walk find pull locate apply "
    "charge debit credit deduct reflect adjust keep leave bring respond reply hear stay list search access".split()
)
"""Verbs that say nothing about which action it is: "I'll arrange the exchange", "let me check"."""
CONSENTING = frozenset(
    "confirm reply answer say type respond tell approve accept agree authorize acknowledge let".split()
)
"""What agents ask people to do who are to agree; in a request for agreement these are no actions."""
LIGHT = frozenset(
    "set add create make put file save book submit place use update change apply record register enter start give let "
    "adjust schedule finalize finalise execute process lock carry go file log push mark fix store note".split()
)
"""Verbs that other words complete: "set it back to active", "file a dispute"; alone they decide little."""
CARRYING = frozenset(
    "set add create make put file submit place issue register enter start give send log raise lodge open".split()
)
"""Verbs that a noun for the action completes: "file a dispute"."""
HANDLING = LIGHT | frozenset(
    "send issue confirm skip remove stop order pay activate enable switch turn run launch open raise shift "
    "publish".split()
)
"""Verbs for carrying out what was named before: "shall I send it?"."""
SETTLING = frozenset("refund settle charge credit debit use bill reimburse".split())
"""What happens to the money in the end: "the old card will be refunded"."""
CLOSING = frozenset("suspend block close cancel terminate freeze delete disconnect lock".split())
"""Verbs that nobody takes for a lesser one that they may stand for: a suspended line is more than roaming off."""
