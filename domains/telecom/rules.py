"""The help desk's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import datetime

from toolgym.domains.telecom import tools
from toolgym.domains.telecom.schema import Customer, Line
from toolgym.sandbox.kit.world import Json, ToolCall, View, rule

MOST_GB = 2


@rule(
    "Work only on the account of the customer you speak to; nobody changes another customer's line.",
    why="This line belongs to another customer.|another customer|not your|not on your account|not yours|no line",
    on=[tools.suspend_line, tools.resume_line, tools.enable_roaming, tools.disable_roaming, tools.refuel_data],
    by="policy",
)
def own_line(owner: View[Customer], line: View[Line]) -> bool:
    return line.row.line_id in owner.row.line_ids


@rule(
    "Suspend a line when its owner asks for it and it is active.",
    why="Line {line.line_id} is {line.status}; only an active line can be suspended.|not active|suspended|pending",
    on=[tools.suspend_line],
    reads=[tools.get_details_by_id],
)
def line_not_active(line: View[Line]) -> bool:
    return line.row.status == "Active"


@rule(
    "Only a line that is suspended, or waits for its activation, can be resumed.",
    why="Line {line.line_id} is {line.status}; only a suspended line can be resumed.|active already|already active|"
    "not suspended|is active",
    on=[tools.resume_line],
    reads=[tools.get_details_by_id],
)
def line_not_suspended(line: View[Line]) -> bool:
    return line.row.status in ("Suspended", "Pending Activation")


@rule(
    "Do not resume a line whose contract end date is in the past, and ask for no payment for it: hand over.",
    why="The contract of this line has ended.|contract",
    on=[tools.resume_line],
    by="policy",
    reads=[tools.get_details_by_id],
)
def contract_runs(line: View[Line], now: datetime) -> bool:
    return (line.row.contract_end_date or "9999") >= now.date().isoformat()


@rule(
    "Do not resume a line while one of its owner's bills is overdue.",
    why="A bill is overdue; it has to be paid first.|overdue|unpaid",
    on=[tools.resume_line],
    by="policy",
    reads=[tools.get_bills_for_customer],
    looks={"bills": lambda customer: ToolCall(name="get_bills_for_customer", arguments=_whose(customer))},
)
def nothing_overdue(customer: View[Customer], bills: list[dict[str, Json]]) -> bool:
    return all(bill["status"] != "Overdue" for bill in bills)


@rule(
    f"You can add {MOST_GB} GB to a line in all, at the plan's price per GB; more is not possible.",
    why=f"No more than {MOST_GB} GB can be added.|{MOST_GB} GB|{MOST_GB} gigabytes|2GB",
    on=[tools.refuel_data],
    by="policy",
    reads=[tools.get_data_usage],
)
def two_gigabytes(line: View[Line], gb_amount: float) -> bool:
    return line.row.data_refueling_gb + gb_amount <= MOST_GB


def _whose(customer: View[Customer]) -> dict[str, Json]:
    return {"customer_id": customer.row.customer_id}
