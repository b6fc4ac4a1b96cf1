"""The page at /docs in a real browser: it shows nested schemas, tries operations, loads nothing from elsewhere."""

import os
import shutil
from collections.abc import Iterator

import httpx2
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from toolgym_server import Running

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (BROWSER and DRIVER) and not os.environ.get("CI"), reason="no Chromium with chromedriver on this machine"
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or "chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1300,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER or "chromedriver"))
    yield driver
    driver.quit()


def card(browser: webdriver.Chrome, operation: str) -> webdriver.remote.webelement.WebElement:
    found = browser.find_element(By.ID, operation)
    if found.get_attribute("open") is None:
        found.find_element(By.TAG_NAME, "summary").click()
    WebDriverWait(browser, 600).until(lambda _: found.find_elements(By.TAG_NAME, "textarea"))
    return found


def send(browser: webdriver.Chrome, operation: str, body: str) -> str:
    found = card(browser, operation)
    field = found.find_element(By.TAG_NAME, "textarea")
    field.clear()
    field.send_keys(body)
    found.find_element(By.TAG_NAME, "button").click()
    answer = found.find_element(By.TAG_NAME, "pre")
    WebDriverWait(browser, 600).until(lambda _: answer.text)
    return answer.text


def test_it_reads_like_an_api_and_tries_it(server: Running, browser: webdriver.Chrome) -> None:
    browser.get(f"{server.url}/docs")
    WebDriverWait(browser, 600).until(lambda page: page.find_elements(By.ID, "workshop_order_parts"))
    order = card(browser, "workshop_order_parts")
    assert "Order parts." in order.text and "integer, at least 1, at most 100" in order.text
    assert '"lines"' in (order.find_element(By.TAG_NAME, "textarea").get_property("value") or "")
    assert send(browser, "open_session", '{"domain": "workshop"}').startswith("201 ")
    body = '{"lines": [{"part_id": "P1", "pieces": 2}], "address": {"city": "Oslo", "tags": []}}'
    assert '"P1": 98' in send(browser, "workshop_order_parts", body)
    assert '"no_change"' in send(browser, "workshop_user_switch_lamp", '{"lit": false}')
    problems = [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"]  # type: ignore[no-untyped-call]
    assert not [line for line in problems if "status of 409" not in line and "favicon" not in line], problems
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")  # type: ignore[no-untyped-call]
    assert loaded and all(name.startswith(server.url) for name in loaded)


def test_it_may_not_be_framed(server: Running) -> None:
    headers = httpx2.get(f"{server.url}/docs", timeout=600).headers
    assert headers["x-frame-options"] == "DENY" and "default-src 'none'" in headers["content-security-policy"]
