"""Who lists the reasons of all rules states each of them, and who states one states no other."""

import pytest

from toolgym.sandbox.language.reasons import reasons_stated
from toolgym.sandbox.runtime.registry import get_domain, names

WORLDS = [name for name in names("domains") if get_domain(name).rules]


@pytest.mark.parametrize("world", WORLDS)
def test_a_list_of_all_reasons_states_each_of_them(world: str) -> None:
    reasons = [rule.why for rule in get_domain(world).rules]
    said = "I cannot do that: " + "; ".join(reason.split("|")[0] for reason in reasons)
    assert all(reasons_stated([said], [reason]) == 1 for reason in reasons)
    assert max(reasons_stated([reason.split("|")[0]], reasons) for reason in reasons) == 1
