"""Who is calling: addresses and names as recognisers leave them, read by their form and by a public lexicon."""

import pytest

from toolgym.domains.people import FIRST_NAMES, LAST_NAMES
from toolgym.sandbox.speech.callers import emails, names
from toolgym.sandbox.speech.inverse_text_normalization import read
from toolgym.sandbox.speech.names import SAID, SPELLED, edits, lexicon, likely


@pytest.mark.parametrize(
    ("heard", "address"),
    [
        ("My e-mail addresses ma-r-a-dot-k-h-a-n 3-1-7-4 at example dot com", "mara.khan3174@example.com"),
        ("My email address is giddyand.con. 1, 2, 3, 4 at example.org.", "giddyand.con1234@example.org"),
        (
            "my address is ma r c us dot r os s i four nine zero eight at example dot net",
            "marcus.rossi4908@example.net",
        ),
        ("My e-mail is M A R C U S dot R O S S I 4 9 0 A at example dot net.", "marcus.rossi4908@example.net"),
        ("It is r-a-f-a-e-l dot k-a-u-r-2-4-8-2 at example dot org.", "rafael.kaur2482@example.org"),
        ("e-m-e-k-a dot d-e-s-a-i-one-five eight seven at example dot org", "emeka.desai1587@example.org"),
        ("My e-mail is p-e-t-r-a-dot-c-a-l-l-o-w-a-y-6-0-6-1 at example.com.", "petra.calloway6061@example.com"),
        ("My e-mail address is HELENA dot OK AF OR 74 37, at example dot net.", "helena.okafor7437@example.net"),
        ("Ana, A N A, Cho, C H O. A N A dot C H O 8 4 3 7 at example.com.", "ana.cho8437@example.com"),
        ("under a d r i a n dot the O W E N to 5 0 8 at example dot org", "adrian.bowen2508@example.org"),
        ("noah underscore brown underscore six one, at example dot com", "noah_brown_61@example.com"),
        ("anna-lee dot smith 12 at mail.example.co.uk please", "anna-lee.smith12@mail.example.co.uk"),
        ("You can find me under amicadotahmed 84, at example dot com. I want a TV.", "amica.ahmed84@example.com"),
    ],
)
def test_an_address_is_read_by_its_form(heard, address):
    assert address in read(heard).split(" ")[-5:] or f"{address}." in read(heard)


@pytest.mark.parametrize(
    "said", ["Please look at example.com today.", "I was at home dot I think.", "Send it to 12 Elm Street at noon."]
)
def test_what_is_no_address_stays(said):
    assert "@" not in read(said)


@pytest.mark.parametrize(
    ("heard", "name"),
    [
        ("My name is Gavin, G A B I N Iverson, I B E R S E N, My zip code is 20090", ("gavin", "iversen")),
        ("No idea about my e-mail. The name is TARC, T A R I Q, K O H. My zip code is 23212", ("tariq", "koh")),
        ("My name is Tariq, T-A-R-I-Q-K-O-H. My zip code is 232-12.", ("tariq", "koh")),
        ("My name is Alajandro, ALE JAN DRO, TORS, T-O-R-R-E-S, My zip code is 70127.", ("alejandro", "torres")),
        ("I don't know my email, Dina, D-D-I-N-A, Garza, G-A-R-C-A 30350", ("dina", "garza")),
        ("I'm Lee Mon, L E V O N, Fontaine, F O N T A I N E", ("levon", "fontaine")),
        (
            "I don't have my e-mail here, Emeka, E M E K A, Okonkwo-Bah, O K O N K W O B A H 19122",
            ("emeka", "okonkwobah"),
        ),
        ("My name is Rosa Greene.", ("rosa", "greene")),
    ],
)
def test_names_are_found_said_spelled_or_run_together(heard, name):
    assert name in names([read(heard)])[:5]


def test_what_was_heard_twice_is_believed_more():
    once, again = (
        "My name is Pable, T A V E L, Hughes, H U G H E S.",
        "My name is Pavel, P A V E L, Hughes, H U G H E S.",
    )
    assert ("pavel", "hughes") not in names([read(once)])[:3]
    assert ("pavel", "hughes") in names([read(once), read(again)])[:3]


def test_addresses_are_made_of_likely_names_and_end_as_heard():
    said = read("My e-mail is lianna dot sehmidt, for A 5 3, at example dot org. My name is Liana, L I A N A, Schmidt.")
    assert "liana.schmidt4853@example.org" in emails([said])[:4]
    assert "ibrahim.mori8010@example.net" in emails(["ibrahim.moria010@example.net"])
    assert "eliza.fletcher8064@example.net" in emails(["eliza.fletcherh064@example.net"])
    assert emails(["My name is Ana Cho."]) == []
    assert emails([]) == [] and names([]) == []


def test_the_lexicon_is_of_a_census_and_not_of_the_gyms_people():
    first = [name for name in FIRST_NAMES if name.lower() in lexicon("first")]
    last = [name for name in LAST_NAMES if name.lower() in lexicon("last")]
    assert 0 < len(first) < len(FIRST_NAMES) and 0 < len(last) < len(LAST_NAMES)
    assert len(lexicon("first")) > 5000 and len(lexicon("last")) > 18000
    assert list(lexicon("last"))[:2] == ["smith", "johnson"]


def test_letters_that_sound_alike_are_nearer():
    assert edits("ketrob", "petrov") < edits("ketrow", "petrov")
    assert edits("dina", "ddina") == 0.5 and edits("", "abc") == 3.0 and edits("ana", "ana") == 0.0
    assert next(iter(likely([("garca", SPELLED), ("Garza", SAID)], "last"))) == "garza"
    assert "xqzzy" in likely([("xqzzy", SPELLED)], "first")  # a name that nobody has listed
