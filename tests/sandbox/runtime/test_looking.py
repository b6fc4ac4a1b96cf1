"""What people see of a session, a world and a task: one short line each, rows by table, small tables in a notebook."""

from toolgym import Message, Session, Task, Trajectory
from toolgym.kit import get_domain
from toolgym.sandbox.kit.message import ToolCall


def test_everything_is_shown_in_one_short_line() -> None:
    for world in ("kiosk", "retail", "retail+kiosk"):
        domain = get_domain(world)
        task = domain.tasks("test")[0] if domain.open_data().splits else None
        shown = [domain, domain.tools, domain.open_data(), Session(domain, task=task)]
        if task is not None:
            said = (Message(role="user", content="word " * 900),)
            played = Trajectory(task=task, agent="rules", user="scripted", messages=said, termination="user_stop")
            shown += [task, played]
            assert str(task) == repr(task) and str(played) == repr(played)
        assert all(len(repr(each)) < 500 and "\n" not in repr(each) for each in shown)
    assert repr(Session("kiosk")) == "<Session kiosk: 0 calls>"
    assert repr(get_domain("kiosk")) == "<Domain kiosk: The ticket kiosk of a small theatre; 4 tools, data own>"


def test_a_closed_session_says_so() -> None:
    task = get_domain("kiosk").task("kiosk-1")
    with Session("kiosk", task=task) as session:
        session.call("find_tickets", {"holder": "Ada Moreau"})
    assert repr(session) == "<Session kiosk, task kiosk-1: 1 call, closed>"


def test_tools_are_names_and_the_list_that_models_take() -> None:
    session = Session("kiosk", task=Task(id="t", domain="kiosk", ticket="Look.", tools=("find_tickets",)))
    assert list(session.tools) == ["find_tickets"]
    assert session.tools.to_openai()[0]["function"]["name"] == "find_tickets"


def test_tables_hold_the_rows_as_they_are_now() -> None:
    session = Session("retail+kiosk")
    before = session.tables()
    assert len(before["orders"]) == 1000 and before["orders"][0]["order_id"]
    session.call("reserve_ticket", {"ticket_id": "T102", "holder": "Ada <b>Moreau</b>"})
    (change,) = session.diff()
    after = session.tables()["kiosk.tickets"]
    assert change.after in after and change.before in before["kiosk.tickets"]
    assert {table: rows for table, rows in session.tables().items() if rows != before[table]} == {
        "kiosk.tickets": after
    }


def test_notebooks_show_small_tables_in_which_nothing_is_markup() -> None:
    session = Session("kiosk")
    call = ToolCall(name="reserve_ticket", arguments={"ticket_id": "T102", "holder": "Ada <b>Moreau</b>"})
    task = Task(id="t", domain="kiosk", ticket="Book <i>T102</i>.", gold=(call,))
    session.call(call.name, call.arguments)
    for _ in range(30):
        session.call("find_tickets", {"holder": "x" * 5000})
    for shown in (session._repr_html_(), session.diff()._repr_html_(), task._repr_html_()):
        assert shown.startswith("<table>") and len(shown) < 15_000
        assert "<b>" not in shown and "<i>" not in shown and "Ada &lt;b&gt;" in shown
    assert "and 11 more" in session._repr_html_()
    assert Session("kiosk").diff() == [] and "0 changed rows" in Session("kiosk").diff()._repr_html_()
