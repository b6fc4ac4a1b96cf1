"""Play in a real browser: both roles, forms, going on from a turn, a reload, a microphone fed from a file, looks."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import check_accessible, chromium, complaints, look, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from viewer_process import HOSTILE, Viewer

from toolgym.cli import main
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
TASK = next(task for task in get_domain("retail").tasks("test", "own") if task.gold[-1].name == "cancel_pending_order")
SAID = "[...document.querySelectorAll('.say')].map((each) => each.lastChild.textContent)"
IMPATIENT = """
import sys
import openai._base_client as client
client.INITIAL_RETRY_DELAY = client.MAX_RETRY_DELAY = 0.2
from toolgym.cli import main
sys.exit(main())
"""
"""The viewer with shorter waits between attempts at a model than the half minute that they come to."""
BEGUN = "location.hash.startsWith('#/play/') && !!document.querySelector('main #message')"


@pytest.fixture(scope="module")
def played_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("played") / "runs"
    assert main(["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "3", "--out", str(root / "rules")]) == 0
    return root


@pytest.fixture(scope="module")
def server(played_in: Path) -> Iterator[Viewer]:
    with Viewer(played_in, code=IMPATIENT) as running:
        yield running


class Page:
    """What a person does in the page."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self.browser = browser

    def find(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def press(self, words: str) -> None:
        self.browser.find_element(By.XPATH, f"//button[normalize-space()='{words}']").click()

    def choose(self, selector: str, value: str) -> None:
        script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', { bubbles: true }))"
        self.browser.execute_script(script, self.find(selector), value)

    def say(self, text: str) -> str:
        """Say something; the other side's answer."""
        before = self.browser.execute_script(f"return {SAID}.length")
        self.find("#message").send_keys(text + "\n")
        until(self.browser, f"{SAID}.length >= {before + 2}")
        said: list[str] = self.browser.execute_script(f"return {SAID}")
        return said[-1]

    def form(self, tool: str, **given: Any) -> WebElement:
        """Open a tool's form and fill it in."""
        form = self.find(f"#tool-{tool}")
        self.browser.execute_script("arguments[0].open = true", form)
        for name, value in given.items():
            field = form.find_element(By.NAME, name)
            if field.tag_name == "select":
                self.browser.execute_script("arguments[0].value = arguments[1]", field, str(value))
            else:
                field.clear()
                field.send_keys(value if isinstance(value, str) else json.dumps(value))
        return form

    def call(self, tool: str, **given: Any) -> None:
        before = len(self.browser.find_elements(By.CSS_SELECTOR, ".call"))
        self.form(tool, **given).find_element(By.CSS_SELECTOR, "[type=submit]").click()
        until(self.browser, f"document.querySelectorAll('.call').length > {before}")


def gold(task: Task) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, dict(call.arguments)) for call in task.gold if isinstance(call.arguments, dict)]


def test_the_agent_by_hand_from_the_choice_to_the_saved_episode_and_on(
    browser: webdriver.Chrome, server: Viewer, played_in: Path
) -> None:
    page = Page(browser)
    visit(browser, f"{server.address}#/play")
    until(browser, "document.getElementById('task').options.length", len(get_domain("retail").tasks("dev", "own")))
    page.choose("#split", "own/test")
    until(browser, "document.getElementById('task').options.length", len(get_domain("retail").tasks("test", "own")))
    page.choose("#facet-family", TASK.family)
    alike = [task.id for task in get_domain("retail").tasks("test", "own") if task.family == TASK.family]
    until(browser, "document.getElementById('task').options.length", len(alike))
    page.press("a random one")
    assert page.find("#task").get_attribute("value") in alike and "split=own%2Ftest" in browser.current_url
    page.choose("#task", TASK.id)
    page.press("Begin")
    until(browser, BEGUN)
    address = browser.current_url

    assert "cancel" in page.find(".say.user").text and page.find("#policy pre").get_attribute("textContent")
    (first, email), *reads, (last, cancel) = gold(TASK)
    assert email["email"] in page.say("Can you tell me your email, please?")
    page.form("get_order_details", order_id="").find_element(By.CSS_SELECTOR, "[type=submit]").click()
    assert "order_id is needed" in page.find("#tool-get_order_details").text
    page.form("return_delivered_order_items", order_id="#W1", item_ids="no list", payment_method_id="x")
    page.find("#tool-return_delivered_order_items [type=submit]").click()
    wrong = page.find("#tool-return_delivered_order_items .bad:not(:empty)").text
    assert "item_ids takes a JSON list" in wrong and not browser.find_elements(By.CSS_SELECTOR, ".call")
    page.call(first, **email)
    assert "eliza" in page.find(".call pre").text  # the result stands there whole, and open
    page.call("get_order_details", order_id="#W0")
    assert "refused: order_not_found" in browser.find_elements(By.CSS_SELECTOR, ".call")[-1].text

    browser.refresh()  # a reload finds it again, and so does another window
    until(browser, f"{SAID}?.length", 3)
    assert browser.current_url == address and len(browser.find_elements(By.CSS_SELECTOR, ".call")) == 2
    page.say("Which order is it, and why?")
    for name, arguments in reads:
        page.call(name, **arguments)
    page.say(
        f"I will cancel the order {cancel['order_id']} because it is {cancel['reason']}. Shall I proceed (yes/no)?"
    )
    page.call(last, **cancel)
    for words in ("cancelled", cancel["order_id"]):
        until(browser, f"document.querySelector('.beside .rows')?.textContent.includes('{words}')")
    page.say(f"The order {cancel['order_id']} has been cancelled.")
    until(browser, "document.getElementById('result')?.textContent", "clean pass")
    assert page.find("#why").text == "Passed, told everything and broke no rule."
    assert "as it should be" in page.find(".beside").text
    page.press("Save")
    until(browser, "!!document.getElementById('saved')")
    assert "play/retail-human-scripted-own-test" in page.find("#saved").text
    page.find("#saved a").click()
    until(browser, "location.hash.includes('/episode/') && document.querySelectorAll('.fork').length > 5")
    assert page.find("#result").text == "clean pass"

    browser.find_elements(By.CSS_SELECTOR, ".fork")[-1].click()  # by hand: one stands where the record ends
    until(browser, "!!document.getElementById('who-agent')")
    page.press("Go on from here")
    until(browser, "document.getElementById('record-ends')?.textContent.includes('ends before turn')")
    place = "document.getElementById('record-ends').getBoundingClientRect().top"
    until(browser, f"scrollY > 0 && {place} > 0 && {place} < innerHeight")
    browser.get(browser.execute_script("return document.querySelector('.path a[href*=episode]').href.split('?')[0]"))
    until(browser, "location.hash.includes('/episode/') && document.querySelectorAll('.fork').length > 5")

    browser.find_elements(By.CSS_SELECTOR, ".fork")[1].click()
    until(browser, "!!document.getElementById('who-agent')")
    page.choose("#who-agent", "rules")
    page.press("Go on from here")
    until(browser, "document.getElementById('result')?.textContent", "clean pass")
    assert "human, then rules" in page.find("main").text and complaints(browser) == []


def test_the_customer_sees_what_a_customer_sees(browser: webdriver.Chrome, server: Viewer) -> None:
    page = Page(browser)
    visit(browser, f"{server.address}#/play?world=retail&split=own/test&role=customer&task={TASK.id}")
    until(browser, "document.getElementById('who-agent')?.value", "rules")
    until(browser, "document.getElementById('task')?.value", TASK.id)
    page.press("Begin")
    until(browser, BEGUN)
    assert TASK.scenario in page.find("#situation").text and not browser.find_elements(By.ID, "policy")
    email = str(next(fact.value for fact in TASK.facts if fact.name == "email"))
    page.say(f"{HOSTILE} Please cancel an order of mine.")
    page.say(f"My email is {email}.")
    assert not browser.find_elements(By.CSS_SELECTOR, ".call")
    page.find("#all").click()
    until(browser, "document.querySelectorAll('.call').length > 0")
    assert HOSTILE in page.find(".say.user").text and "owned" not in browser.title.split("·")[1]
    assert not browser.find_elements(By.CSS_SELECTOR, "main img")
    page.press("Say goodbye")
    until(browser, "document.getElementById('result')?.textContent", "failed")
    assert "the agent: rules, the customer: human" in page.find("main").text and complaints(browser) == []


def test_a_model_that_is_not_there_is_one_sentence_and_the_person_goes_on(
    browser: webdriver.Chrome, server: Viewer
) -> None:
    page = Page(browser)
    visit(browser, f"{server.address}#/play?world=retail&split=own/test&role=customer&task={TASK.id}")
    until(browser, "document.getElementById('task')?.value", TASK.id)
    page.choose("#who-agent", "llm")
    page.press("Begin")
    until(browser, "document.querySelector('[role=alert]')?.textContent.includes('needs a model')")
    page.find("#model-agent").send_keys("nobody")
    page.find("#url-agent").send_keys("http://127.0.0.1:9/v1")
    page.press("Begin")
    until(browser, BEGUN)
    page.find("#message").send_keys("Hello?\n")
    until(browser, "document.querySelector('.thinking')?.textContent.includes('thinks as the agent')")
    until(
        browser,
        "document.querySelector('.thinking [role=alert]')?.textContent.includes('cannot be reached')",
    )
    page.find("#message").send_keys("How can I help you?\n")  # as the agent now
    until(browser, "document.querySelector('form.composer label').textContent", "You speak as the customer")
    assert browser.execute_script(f"return {SAID}") == ["Hello?", "How can I help you?"]
    complaints(browser)  # the refusal of a model without a name is a 404


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (400, True)])
def test_nothing_violates_level_a_or_aa_and_nothing_overflows(
    browser: webdriver.Chrome, server: Viewer, width: int, dark: bool
) -> None:
    page = Page(browser)
    look(browser, width, dark=dark)

    def check(place: str) -> None:
        check_accessible(browser, place)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, place

    visit(browser, f"{server.address}#/play?world=retail&split=own/test&task={TASK.id}")
    until(browser, "document.getElementById('task')?.value", TASK.id)
    check("choosing")
    page.press("Begin")
    until(browser, BEGUN)
    page.form("return_delivered_order_items")
    page.call("get_order_details", order_id="#W1212386")
    check("the agent")
    page.press("End here")
    until(browser, "document.getElementById('result')?.textContent", "failed")
    check("the end")
    visit(
        browser,
        f"{server.address}#/play?from=rules%2F{get_domain('retail').tasks('test', 'own')[0].id}%2F0&turn=1&as=user",
    )
    page.press("Go on from here")
    until(browser, BEGUN)
    check("the customer")
    look(browser)
    complaints(browser)


def test_a_microphone_is_heard_and_the_other_side_speaks(
    played_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("faster_whisper")
    pytest.importorskip("piper")
    from toolgym.viewer.play.speech import spoken

    recording = tmp_path / "said.wav"
    recording.write_bytes(spoken("Can you tell me your email, please?", TASK))
    flags = (
        "use-fake-device-for-media-stream",
        "use-fake-ui-for-media-stream",
        "autoplay-policy=no-user-gesture-required",
    )
    monkeypatch.setenv("TOOLGYM_ASR_OPTIONS", "model=tiny")
    browser = chromium(*flags, f"use-file-for-fake-audio-capture={recording}%noloop")
    server = Viewer(played_in)
    try:
        page = Page(browser)
        visit(browser, f"{server.address}#/play?world=retail&split=own/test&task={TASK.id}")
        until(browser, "document.getElementById('task')?.value", TASK.id)
        page.press("Begin")
        until(browser, BEGUN)
        page.find("#aloud").click()
        page.press("Speak")
        until(browser, "document.getElementById('microphone').textContent", "Stop and use it")
        browser.execute_async_script("setTimeout(arguments[0], 3500)")  # as long as the recording lasts
        page.press("Stop and use it")
        until(browser, "document.getElementById('heard').textContent.startsWith('Heard: ')")
        heard = page.find("#heard").text.lower()
        assert "tell me" in heard and "mail" in heard
        assert "mail" in str(page.find("#message").get_attribute("value")).lower()
        page.press("Send")
        until(browser, f"{SAID}.length", 3)
        until(browser, "document.getElementById('voice').duration > 1")
        assert complaints(browser) == []
    finally:
        browser.quit()
        server.__exit__()


def test_where_calls_are_approved_the_customer_sees_the_call_and_answers(
    browser: webdriver.Chrome, server: Viewer
) -> None:
    page = Page(browser)
    task = get_domain("banking").tasks("test", "v2")[1]
    visit(browser, f"{server.address}#/play?world=banking&split=v2/test&task={task.id}&role=customer")
    until(browser, "document.getElementById('who-agent')?.value", "rules")
    until(browser, "document.getElementById('task')?.value", task.id)
    page.choose("#who-agent", "oracle")
    page.find("#consent").click()
    page.press("Begin")
    until(browser, BEGUN)
    page.find("#message").send_keys("Hello.\n")
    until(browser, "!!document.querySelector('#approval:not([hidden])')")
    assert "send_payment" in page.find("#approval").text and not page.find("#message").is_displayed()
    check_accessible(browser, "a call that waits for the customer")
    page.find("#wrong").send_keys("Not that one.")
    page.press("Decline")
    until(browser, "!!document.querySelector('#approval[hidden]')")
    page.find("#all").click()
    until(browser, "document.querySelector('main').textContent.includes('Not that one.')")
