"""The fault suite's table: `pytest tests/reliability --write-table` writes it into docs/reliability.md."""

import re
from collections.abc import Generator

import pytest
from fault_table import BEGIN, DOCUMENT, END, FAULTS


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-table", action="store_true", help="write what held into docs/reliability.md")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "fault(name): the row of the table of faults that a test is")


def table(measured: dict[str, str]) -> str:
    """The table in Markdown."""
    lines = ["| fault | what is done | what holds | in the last run |", "| --- | --- | --- | --- |"]
    lines += [f"| {row.title} | {row.tried} | {row.held} | {measured[name]} |" for name, row in FAULTS.items()]
    return "\n".join(lines) + "\n"


class Writer:
    """Collects what the tests that pass have measured, and writes it; rows that were not run keep what they say."""

    def __init__(self) -> None:
        self.measured: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        mark = item.get_closest_marker("fault")
        if mark is not None and report.when == "call" and report.passed:
            self.measured[mark.args[0]] = str(dict(report.user_properties).get("measured", "held"))
            self._write()
        return report

    def _write(self) -> None:
        text = DOCUMENT.read_text(encoding="utf-8")
        titles = {row.title: name for name, row in FAULTS.items()}
        cells = [line.strip("| ").split(" | ") for line in text.split(BEGIN)[1].split(END)[0].splitlines()]
        earlier = {titles[row[0]]: row[3] for row in cells if len(row) == 4 and row[0] in titles}
        fresh = BEGIN + table(dict.fromkeys(FAULTS, "not run") | earlier | self.measured) + END
        pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
        DOCUMENT.write_text(re.sub(pattern, lambda _: fresh, text, flags=re.DOTALL), encoding="utf-8")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.getoption("--write-table", default=False):
        session.config.pluginmanager.register(Writer())
