"""The usual reasons for a refusal and how English gives them: it is another's, it is too late, there is none left, it
is too much. Each knows the rules that are about it by their words.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Ground(NamedTuple):
    """A usual reason.

    Attributes:
        named: a pattern of a rule's text that is about it.
        given: a pattern of sentences that give it.
    """

    named: re.Pattern[str]
    given: re.Pattern[str]


def _said_by(named: str, *given: str) -> Ground:
    return Ground(re.compile(named), re.compile("|".join(given)))


GROUNDS = (
    _said_by(  # somebody else's
        r"another (?:customer|person|user|account)|someone else|somebody else|belongs? to another|not yours?\b",
        r"\b(?:another|a different|different|other|some(?:body|one) else's|some(?:body|one) else|people'?s?|"
        r"person'?s)\b"
        r"[^.]{0,24}\b(?:accounts?|customers?|persons?|profiles?|names?|contracts?|users?|people|owners?|"
        r"holders?|hands)",
        r"\bsome(?:body|one) else\b|\bany(?:body|one) else'?s?\b|\bstranger",
        r"(?:n't|\bnot|\bnone|\bno)\b[^.]{0,12}\b(?:one |any )?(?:of )?yours?\b(?! (?:choice|wish|request))",
        r"(?:n't|\bnot|\bnone|\bno\b|\bnever)[^.]{0,40}\b(?:under|linked|tied|connected|registered|assigned|attached|"
        r"belong\w*|sit|among|part of|listed|found|appear)\b[^.]{0,24}\b(?:you|yours?|them)\b",
        r"(?:isn't|wasn't|not|aren't) you\b|\boutside (?:of )?your|\byour own\b|\bof your own|\bprivate to\b|"
        r"\bthis is not it\b|\bthis isn't it\b|\bthat's not it\b",
        r"\bonly (?:the|its?|a) (?:\w+ )?(?:person|customer|one|owner|holder|account holder|caller|buyer)\b",
        r"\bonly by (?:the|its) (?:\w+ )?(?:owner|holder|person|customer)|\bwhoever\b|\bpeople other than\b",
        r"\b(?:person|one|customer) (?:who|that|whom|the \w+ belongs)\b|\bnone of them is\b|\b(?:their|his|"
        r"her) own\b",
        r"\bbelongs? to (?:a |an |some |the )?(?:another|different|other|account|person)|\bpresent it to the owner",
        r"\bunder (?:a|another) (?:different |person's )?name|\bthat you own\b|\baccounts? you (?:own|hold)",
        r"\bthird part|\bbehalf\b|\bdoesn't match\b|\bnot match\b|\bnot associated\b|n't associated\b|"
        r"\bprivacy\b|\bconfidential",
        r"\bcan(?:'t|not) (?:find|see|locate)\b[^.]{0,40}\b(?:under|in|on|among) your|"
        r"\bfriend\b[^.]{0,30}\b(?:would|has|needs|must|can|should)\b",
        r"\byou(?:'re| are) not (?:the|its)\b|\b(?:not|n't) (?:the|its) (?:owner|holder|buyer|customer)|"
        r"\bregistered (?:to|for|under)\b",
        r"\b(?:the one|the person|whoever|those|somebody|someone|customer) who (?:placed|made|booked|bought|"
        r"owns|holds|ordered|has)\b",
        r"\b(?:isn't|aren't|wasn't|not) (?:in|on|under|part of|among|linked|tied|one of|within) (?:your|"
        r"the ones)\b|\bnone of your\b",
    ),
    _said_by(  # too far along to be changed
        r"no longer pending|processed|shipped",
        r"\bleft (?:the|our) \w+|\b(?:already|been|was|is|has|have|'s|'ve|we|got|currently|as|it's|marked|"
        r"shows?)\b[^.]{0,16}"
        r"\b(?:processed|processing|shipped|delivered|dispatched|sent out|sent off|cancelled|canceled|arrived|"
        r"received|"
        r"handed over|picked up|packed)\b",
        r"\b(?:on its|on the|under) way\b|\bin transit\b|\bmoved past\b|\bpast (?:that|the) (?:stage|point)|"
        r"\bafter that point",
        r"\bno longer (?:pending|open|waiting)|\bnot (?:\w+ )?pending\b|n't (?:\w+ )?pending\b|"
        r"\bpending \w+ (?:only|alone)",
        r"\bonly\b[^.]{0,40}\b(?:pending|open|waiting|before)\b|\bworks? for pending|\bdropped\b[^.]{0,10}\boff\b|"
        r"\bstatus\b[^.]{0,16}\b(?:processed|delivered|shipped|cancelled|canceled)|\bwhile\b[^.]{0,30}\bpending\b|"
        r"\bonce (?:it|they|an?|the)\b[^.]{0,24}\b(?:processed|shipped|delivered|dispatched|left|handled|gone)|"
        r"\bwhen an? \w+ is processed|\bwaiting to be (?:handled|processed)",
        r"\b(?:processed|shipped|delivered|cancelled|canceled|dispatched)\b[^.]{0,12}\balready\b|"
        r"\balready (?:gone|out|there)",
        r"\bout for delivery|\bgone out\b|\btoo late\b|\blocked\b|\bfinali[sz]ed|\bin the mail\b|"
        r"\bwith the (?:carrier|courier|post)\b",
        r"\balready (?:with|at|in|on)\b|\bcompleted\b|\bfulfilled\b|\bother than pending|"
        r"\bstatus\b[^.]{0,30}\b(?:is|says|reads|shows)\b|\bsent (?:it )?(?:out|off|already)|\breached (?:you|"
        r"its|the)\b|\bat your (?:door|place|home)|\b(?:got|have) (?:it|them) already",
    ),
    _said_by(  # not yet arrived
        r"has not been delivered|not been shipped|not (?:yet )?delivered",
        r"(?:n't|\bnot|\bnever|\bhasn't|\bhaven't)\b[^.]{0,20}\b(?:delivered|arrived|received|shipped|there|"
        r"reached|got|here|left)\b",
        r"\bstill\b[^.]{0,20}\b(?:pending|waiting|processed|processing|transit|way|shipped|underway|being|"
        r"open|packed)\b|"
        r"\b(?:is|status|as|currently|it's|shows?|it was|been|already)\b[^.]{0,16}\b(?:pending|processed|"
        r"processing|cancelled|canceled)\b",
        r"\bonce\b[^.]{0,30}\b(?:arriv|deliver|door|receiv|hands|reach|there|got|have it)|\bin your hands\b|"
        r"\bat your door\b|"
        r"\bonly\b[^.]{0,30}\b(?:delivered|arriv|received)|\bdelivered (?:\w+ )?(?:only|alone)|\bfirst (?:has|"
        r"have|needs?) to "
        r"(?:arrive|reach|be delivered)|\b(?:has|have|needs?|must)\b[^.]{0,12}\b(?:arrive|reach you|be delivered)|"
        r"\b(?:before|until|unless|after)\b[^.]{0,30}\b(?:arriv|deliver|receiv|reach)|\byet to (?:arrive|"
        r"be delivered|reach)",
        r"\byet\b|\bpreparation\b|\bawaiting\b|\bon the road\b|\bafter (?:delivery|arrival)|"
        r"\bupon (?:delivery|arrival)|\bunderway\b",
    ),
    _said_by(  # none left
        r"not available|in stock|out of stock|sold out",
        r"\bsold out\b|\bout of stock\b|\bunavailable\b|\bnone\b[^.]{0,10}\b(?:left|of)\b|"
        r"\bno\b[^.]{0,24}\bleft\b|\bno stock\b",
        r"(?:n't|\bnot|\bno longer)\b[^.]{0,20}\b(?:available|stock|stocked|carry|obtainable|have any|be had|"
        r"on hand)|"
        r"\brun out\b|\bran out\b|\bnothing left\b|\bback ?order|\ball gone\b|\bin short supply|"
        r"\bzero\b[^.]{0,10}\bstock",
        r"\brestock|\bshelf|\bshelves|\b(?:0|zero|no) (?:left|units|pieces)|\bnone in\b|\bisn't (?:one|any)\b|"
        r"\bdepleted|\bfully sold|\bno \w+ in that\b|\bnothing in\b",
    ),
    _said_by(  # over a limit
        r"\blimit|no more than|at most|maximum",
        r"\blimit(?:s|ed)?\b|\bceiling\b|\bmax(?:imum|\.)?(?!\w)|\bat most\b|\bno more than\b|\bmore than\b|"
        r"\bcap(?:ped|s)?\b|"
        r"\babove\b|\bexceed\w*|\bover (?:the|your|today|that|what|our|\$)|\bup to\b|\bhighest\b|\btop(?:s|"
        r"ped)? (?:out )?at\b|"
        r"\bnot beyond\b|\bbeyond (?:the|your|what)|\btoo (?:much|large|big|high|many|long)\b|\blonger than\b|"
        r"\bthe most\b|"
        r"\bnothing (?:above|over|beyond)|\bonly (?:\w+ )?(?:two|2|one|1)\b|\ballowance\b|\bquota\b|"
        r"\bleft (?:for )?today\b",
        r"\btops\b|\bthreshold\b|\bper (?:line|day|request|month|payment)\b|\bgo(?:es)? (?:over|beyond|higher|"
        r"past|above)\b|\bremaining\b|\bhigher than\b|\b(?:bigger|larger|greater) than\b|\bas much as\b|"
        r"\b1,?000\b(?![,.]\d)|\b(?:one|a) thousand\b|\bbudget\b|\bmost (?:that )?(?:i|you|we|one) can\b",
    ),
    _said_by(  # too new
        r"too new|recently",
        r"\bnew(?:ly)?\b[^.]{0,24}\b(?:recipient|beneficiar\w*|contact|one|entr\w+|added|saved)|\btoo new\b|"
        r"\bbrand[- ]new\b",
        r"\b(?:recipient|beneficiary|entry|they)\b[^.]{0,30}\b(?:new|recent\w*|fresh\w*)|\brecently\b|\bfreshly\b|"
        r"\b(?:only|just)\b[^.]{0,12}\b(?:added|saved|created|registered|entered|set up)|\bhours ago\b|"
        r"\blong enough\b|"
        r"\bcooling|\buntil\b[^.]{0,24}\b(?:day|24|hours)\b|\bfirst (?:24|day|twenty)|\b(?:saved|added|"
        r"created) (?:\w+ )?"
        r"(?:today|yesterday|this morning|this afternoon)|\b(?:less|fewer) than (?:24|a day|twenty|one day)|"
        r"\bwithin (?:the )?"
        r"(?:first )?(?:24|twenty)|\b(?:24|twenty-four)[ -]?h\w*[^.]{0,24}\b(?:old|pass|after|wait|added|"
        r"since)|\bwaiting period",
        r"\bfresh\b|\bwaiting (?:time|phase)|\byesterday\b|\bday old\b|\bprobation|\b(?:safety|security|"
        r"holding) (?:period|phase|time|hold)|\bfull day\b|\b(?:24|twenty-four) hours\b|"
        r"\bnot (?:been )?(?:old|there|on|saved|known)\b[^.]{0,24}\benough|\bsince (?:today|yesterday|this)\b",
    ),
    _said_by(  # too late
        r"run out|too old|too long ago|\bexpired",
        r"\btoo late\b|\btoo old\b|\b(?:60|sixty)[ -]days?\b|\bolder than\b|\bdays old\b|\bwindow\b|"
        r"\btime ?(?:limit|frame)\b|"
        r"\blimit\b|\bdeadline\b|\brun out\b|\bran out\b|\bexpired\b|\btoo long ago\b|"
        r"\btime\b[^.]{0,10}\bis (?:over|up)\b|"
        r"\bwent by\b|\bcut-?off\b|\bno longer within\b|\bpassed\b|\blapsed\b|\blonger (?:ago )?than\b|"
        r"\btime is over\b|"
        r"\bperiod\b|\btwo months\b|\bsince (?:then|passed)\b|\bclosed (?:on|a|in|some|since)",
        r"\btoo far back\b|\bbeyond\b|\boutside\b[^.]{0,20}\b(?:days?|period|window|limit|range|time)|"
        r"\bexceed\w*|\belapsed\b|\bmore than two\b|\bdays (?:have|had|ago|are|after)\b|\btoo (?:much time|"
        r"old|long)|\b(?:time|period|term|days)\b[^.]{0,24}\b(?:over|up|gone|ended|behind)\b|\bsince closed\b",
    ),
    _said_by(  # not enough money
        r"not cover|doesn't cover|insufficient|not enough",
        r"(?:n't|\bnot|\btoo|\bin)\b[^.]{0,16}\b(?:enough|sufficient\w*|cover\w*|stretch|reach|suffice\w*|"
        r"little|low)\b|\binsufficient\b|"
        r"\b(?:holds?|has|have|only|contains|with|carries|left|balance)\b[^.]{0,16}\$ ?[\d,.]+|\bshort\b|"
        r"\b(?:less|lower|smaller) than\b|"
        r"\bfunds\b|\bbalance\b|\bexceeds?\b|\bmore than (?:what|is|it|you|the|there)|\bcosts? more\b|"
        r"\bfalls short\b|\bmissing\b|"
        r"\boverdraw\w*|\bonly\b[^.]{0,12}\$[^.]{0,24}\bleft\b",
        r"\bnot (?:be )?(?:able to )?(?:carry|pay for|afford)|\bleft on it\b|\bneeds? more\b|\bnot hold\b|"
        r"n't hold\b|\bunderfunded\b|\$ ?[\d,.]+ under\b|\bavailable (?:amount|balance)",
    ),
    _said_by(  # too small for all
        r"too few seats|too small|capacity",
        r"(?:n't|\bnot|\btoo few|\bfewer|\binsufficient|\bonly|\black\w*)\b[^.]{0,28}\b(?:seats?|places?|"
        r"chairs?|room for|space|capacity|"
        r"hold|fit|big|large|people|everyone)|\bcapacity\b|\btoo small\b|\bsmaller\b|\b(?:holds?|seats?|"
        r"takes?|fits?|sits?|accommodates?) "
        r"(?:only |just |at most |up to |no more than |fewer |a maximum of )?(?:\d+|\w+ (?:people|persons|"
        r"guests)|fewer|only)|"
        r"\bbigger than\b|\blarger than\b|\b(?:more|too many) (?:people|guests|participants|invitees|persons)|"
        r"\bdoesn't fit\b|"
        r"\bhas (?:only |just )?(?:\d+|four|six|eight|ten|twelve) (?:seats|places|chairs)|\bsquee?ze\b|\bcrowded\b",
        r"\b(?:bigger|larger) (?:room|one|space)|\bheadcount\b|\bnumber of (?:people|guests|participants|"
        r"invitees|seats)|\b\d+ (?:people|persons|guests|participants|invited|seats|places)\b|\bfor (?:only |"
        r"just |up to |at most )(?:\d+|four|six|eight|ten|twelve)\b|\btoo (?:many|tight|cramped)\b|"
        r"\boutnumber|\b(?:designed|meant|made|built) for\b|\bnot (?:all|everyone|everybody)\b|"
        r"\bnobody would\b",
    ),
    _said_by(  # not theirs to decide
        r"organi[sz]er",
        r"(?:n't|\bnot|\bonly|\bmerely|\bjust|\bnobody but|\bunless|\brather than|"
        r"\bneither)\b[^.]{0,44}\b(?:organi[sz]\w*|hosts?|own\w*|created?|"
        r"attend\w*|invit\w*|guests?|participa\w+|in charge)",
        r"\b(?:organi[sz]er?s?|hosts?|creator|owner)\b[^.]{0,24}\b(?:can|may|decides?|has to|have to|would|"
        r"must|needs? to|is (?!inform)|alone|only|could)\b",
        r"\b(?:some(?:body|one)|person|colleague) else\b|\bwhoever (?:created|organi|set|made)|"
        r"\b(?:an? )?(?:attend\w+|participants?|guests?|invitees?)\b|"
        r"\b(?:been|were|was|are) (?:\w+ )?invited\b|\b(?:need|take|requires?|only) the (?:host|organi)|"
        r"\btake part\b|\b(?:run|led|set up|owned|organi[sz]ed|hosted) by\b",
        r"(?:n't|\bnot) yours\b|\bbelongs to\b|\bset (?:it )?up by\b|\b(?:ask|contact|talk to|turn to|"
        r"approach) the (?:organi|host|person|colleague)|\bright to\b|\bsome(?:body|one) else's\b|"
        r"\bcolleague's\b|\b(?:events?|meetings?) (?:that )?you(?:'ve| have)? (?:organi|own|created|host|set)|"
        r"\bthe one who (?:organi|created|set)",
    ),
    _said_by(  # over or begun
        r"\bbegun|started|already over|departed|\bflown",
        r"\b(?:has|have|'s|already|was|is|are|had)\b[^.]{0,16}\b(?:begun|began|started|over|ended|finished|"
        r"under ?way|passed|happened|taken place|"
        r"flown|departed|landed|taken off|used|travell?ed|behind you)\b|\bin the past\b|\balready (?:flew|"
        r"travell?ed|took|used|been)|\bpast \w+ can",
    ),
    _said_by(  # taken
        r"\btaken\b[^|]*\||occupied|not free",
        r"\b(?:taken|booked|occupied|in use|reserved|busy|blocked)\b|(?:n't|\bnot)\b[^.]{0,8}\bfree\b|"
        r"\bconflict|\bclash|\boverlap|\bdouble[- ]book",
    ),
    _said_by(  # at another hour
        r"working hours|office hours",
        r"\b(?:working|office|business) (?:hours|day|time)|\bhours of work|\bafter hours\b|\btoo (?:early|"
        r"late)\b|(?:n't|\bnot)\b[^.]{0,12}\b(?:at work|working|on duty)|"
        r"\bout of (?:office )?hours|\bday (?:ends|starts|begins|is over)|\bfinish\w*\b[^.]{0,12}\bwork",
    ),
    _said_by(  # no right to write
        r"may not write|only be viewed|permission|only view",
        r"(?:n't|\bnot|\bonly|\bno|\black\w*|\bwithout)\b[^.]{0,34}\b(?:writ\w+|edit\w*|permissions?|rights?|"
        r"access|view\w*|read|see|look)\b|\bread[- ]only\b|\bview[- ]only\b",
    ),
    _said_by(  # not in the group that it is for
        r"\b(?:regular|silver|gold)\b",
        r"\b(?:regular|silver|gold|insur\w+|uninsured|membership|member|status|tier|level)\b",
    ),
    _said_by(  # the ends of a trip
        r"\bdestination",
        r"\b(?:destinations?|origins?|routes?|end ?points?|arrivals?|departures?|cit(?:y|ies))\b|"
        r"\bend-points?\b|\bplaces?\b[^.]{0,16}\b(?:from|to)\b|"
        r"\bwhere (?:it|you|the \w+|your \w+) (?:goes|go|fly|ends?|starts?|begins?|lands?|travel)|"
        r"\bsomewhere else\b|\bsame (?:two )?(?:places|ends|towns)\b|\bgo elsewhere\b",
    ),
    _said_by(  # not a case for it
        r"only compensate",
        r"\b(?:only|just|unless|when|for|if|isn't|wasn't|not)\b[^.]{0,40}\b(?:cancel\w*|delay\w*)",
        r"\b(?:don't|do not|doesn't|does not|never|no) (?:\w+ )?(?:compensat|offer|cover|qualif|pay|give)\w*|"
        r"(?:n't|\bnot) covered",
    ),
    _said_by(
        r"one year|\b365\b",
        r"\b(?:one|a|1|full|whole) year\b|\b(?:12|twelve) months\b|\b365\b|"
        r"\byear\b[^.]{0,16}\b(?:most|max\w*|limit|longest)",
    ),
    _said_by(r"\bdormant", r"\bdormant\b|\binactive\b|\basleep\b|\bsleeping\b|\bnot (?:been )?(?:in )?use[d]?\b"),
    _said_by(
        r"cut-?off",
        r"\bcut-?off\b|\b(?:business|working|bank(?:ing)?) days?\b|\bafter (?:17|5|five)\b|\bweekends?\b|"
        r"\b(?:too late|closed|over|passed)\b[^.]{0,20}\b(?:today|day)\b|"
        r"\btoday\b[^.]{0,30}\b(?:over|closed|passed|late)\b|\bpast (?:17|5|five)\b|\b(?:five|5) o'?clock\b|"
        r"\b17:00\b|\b5 ?(?:pm|p\.m\.)|\bmonday\b|\bsaturday|\bsunday",
    ),
    _said_by(
        r"stays blocked|new card",
        r"\bblock(?:ed|ing)?\b[^.]{0,40}\b(?:stays?|perman\w*|good|never|again|final|forever|irrevers\w*|"
        r"lift\w*|undo\w*|undone|can't|cannot|once|always|remain\w*)|"
        r"\b(?:new|replacement) card\b|\bperman\w*|\bfor good\b|\b(?:once|after)\b[^.]{0,20}\bblock|"
        r"\birrevers|\bnever\b[^.]{0,24}\b(?:active|unblock|work|back)",
    ),
    _said_by(
        r"contract[^|]*(?:has ended|ended)",
        r"\bcontract\b[^.]{0,30}\b(?:end\w*|ran out|run out|expired|over|no longer|lapsed|finished|terminated|"
        r"up)\b|\b(?:end|expiry|expired|ended|expiration)\b[^.]{0,24}\bcontract|"
        r"\b(?:no|without an?) (?:\w+ )?contract",
    ),
    _said_by(
        r"overdue|unpaid",
        r"\boverdue\b|\bunpaid\b|\boutstanding\b|\bowe[sd]?\b|\bopen (?:bill|invoice|balance|amount)|"
        r"\bpay\b[^.]{0,20}\b(?:bill|invoice|first)|\bpast due\b|"
        r"\bnot (?:been )?(?:yet )?paid\b|n't (?:been )?(?:yet )?paid\b|\barrears\b|\bsettle\w*",
    ),
    _said_by(
        r"not active|already active|not suspended|only an active|only a suspended",
        r"(?:n't|\bnot|\balready|\bstill|\bcurrently|\bis|\bonly)\b[^.]{0,16}\b(?:active|suspended|inactive|"
        r"pending|closed|paused|running|on hold|in use)\b",
    ),
    _said_by(
        r"that reason|not accepted|reasons?\b",
        r"\breasons?\b|\bgrounds?\b|\bno longer need|\bby mistake\b|\bonly (?:for|if|when)\b|\bmistake\b",
    ),
    _said_by(
        r"same product|same (?:type|kind)|another (?:type|kind|product)",
        r"\bsame (?:\w+ )?(?:product|type|kind|item|line|category|article|model)|\b(?:different|another|"
        r"other) (?:\w+ )?(?:product|type|kind|item|category|article)s?\b|"
        r"\bvariants?\b|\bversions? of\b|\b(?:options?|version) of the same|\bproduct (?:line|type)|"
        r"\bonly (?:another|other|for other)|\bcategory\b|\bwithin (?:the|one|a) (?:same )?(?:product|type)",
    ),
    _said_by(
        r"original payment|original method",
        r"\boriginal(?:ly)?\b|\bpaid (?:with|by|for)\b|\bused (?:to pay|on|for|at|when)\b|\bsame (?:payment|"
        r"method|card|account|way)\b|(?:n't|\bnot)\b[^.]{0,12}\bused\b|"
        r"\bmethod (?:you|that|of)|\bback to (?:the|where|whatever)|\bwhere it came from",
    ),
    _said_by(
        r"\bonce\b",
        r"\b(?:only |just )once\b|\balready (?:been )?(?:\w+ly )?(?:changed|modified|returned|exchanged|"
        r"altered|swapped)|\bsecond (?:time|change|return|exchange)|\bone (?:return|exchange|change)\b|"
        r"\bitem modified\b",
    ),
)
