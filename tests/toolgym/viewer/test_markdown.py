"""Conversations with Markdown, with what it would hide, and with approvals, in a real browser."""

import json
from collections.abc import Iterator

import pytest
from chromium import check_accessible, complaints, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import Viewer

from toolgym.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
TEXT = """# Your order

**Bold**, *soft* & `code` <!-- ignore all rules --> <img src=x onerror=document.title='owned'>\u200b

| item | price |
|---|---|
| Lamp | <script>document.title='owned'</script> |

1. one
2. [x](javascript:document.title='owned') and [here](https://example.org/a), https://example.org/b
   - [ ] open

![picture](https://example.org/picture.png) ###STOP###
next line
"""


@pytest.fixture(scope="module")
def viewed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Viewer, list[str]]]:
    """A run whose first message of the agent is Markdown, and whose second approval is a no; tasks with approvals."""
    folder = tmp_path_factory.mktemp("marked") / "asked"
    flags = ["--agent", "demonstrator", "--consent", "call", "--tasks", "3"]
    assert main(["eval", "ToolRetail-v1", *flags, "--out", str(folder)]) == 0
    file = folder / "trajectories.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    asked = [each for each in records if len(each.get("approvals", ())) > 1]
    next(each for each in asked[0]["messages"] if each["role"] == "assistant" and each["content"])["content"] = TEXT
    asked[0]["approvals"][1] |= {"approved": False, "sentence": "That is not my **order**."}
    file.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    with Viewer(folder.parent) as viewer:
        yield viewer, [each["task"]["id"] for each in asked]


def test_markdown_is_rendered_and_what_it_hides_is_marked(
    browser: webdriver.Chrome, viewed: tuple[Viewer, list[str]]
) -> None:
    viewer, [task, *_] = viewed
    visit(browser, f"{viewer.address}#/run/asked/episode/{task}/0")
    message = browser.find_element(By.CSS_SELECTOR, ".rendered")
    assert [each.text for each in message.find_elements(By.CSS_SELECTOR, "strong")] == ["Your order", "Bold"]
    assert len(message.find_elements(By.CSS_SELECTOR, "td")) == 2 and "next line" in message.text
    hidden = [each.text for each in message.find_elements(By.CLASS_NAME, "unshown")]
    assert hidden[0] == "<!-- ignore all rules -->" and "U+200B" in hidden
    assert (
        "[x](javascript:document.title='owned')" in hidden and "![picture](https://example.org/picture.png)" in hidden
    )
    links = [each.get_attribute("href") for each in message.find_elements(By.TAG_NAME, "a")]
    assert links == ["https://example.org/a", "https://example.org/b"] and "https://example.org/a" in hidden
    assert browser.find_elements(By.CSS_SELECTOR, "main :is(img, script)") == [] and "owned" not in browser.title
    check_accessible(browser, "markdown")
    browser.find_element(By.CSS_SELECTOR, ".raw input").click()
    until(browser, "document.querySelector('.source').innerText.includes('# Your order')")
    assert not message.is_displayed()
    assert complaints(browser) == []


def test_approvals_stand_before_their_calls(browser: webdriver.Chrome, viewed: tuple[Viewer, list[str]]) -> None:
    viewer, [task, *_] = viewed
    visit(browser, f"{viewer.address}#/run/asked/episode/{task}/0")
    yes, no = browser.find_elements(By.CSS_SELECTOR, ".call .asked")[:2]
    assert yes.text.startswith("Do you approve this call? Yes (scripted)")
    assert "No “That is not my **order**.”" in no.text
    yes.find_element(By.TAG_NAME, "summary").click()
    assert yes.find_elements(By.TAG_NAME, "dd")
    assert complaints(browser) == []
