"""A real Chromium for pages: headless, of a given size, with its complaints kept."""

import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
AXE = Path(__file__).parents[1] / "toolgym" / "viewer" / "axe" / "axe.min.js"
CHECK = """
const [rules, done] = arguments;
axe.run(document, { runOnly: rules, resultTypes: ["violations"], selectors: false }).then(({ passes, violations }) =>
  done([passes.length, violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.html)])]));
"""
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast"]
"""All that another scheme of colours may violate."""
FEW_PROCESSES = (
    "in-process-gpu",
    "process-per-site",
    "renderer-process-limit=1",
    "disable-site-isolation-trials",
    "disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess",
)
"""Every page opened starts processes otherwise, which takes two fifths of what a visit takes."""
needs_browser = pytest.mark.skipif(
    not (BROWSER and DRIVER) and not os.environ.get("CI"), reason="no Chromium with chromedriver on this machine"
)


def chromium(*flags: str, size: str = "1400,1000") -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER or "chromium"
    for flag in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{flag}")
    for flag in (*FEW_PROCESSES, *flags):
        options.add_argument(f"--{flag}")
    options.add_argument(f"--window-size={size}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.set_script_timeout(600)
    return driver


def look(browser: webdriver.Chrome, width: int = 1400, height: int = 900, *, dark: bool = False) -> None:
    """Another size of the window, another scheme of colours."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})


def visit(browser: webdriver.Chrome, address: str) -> None:
    """Open an address and wait until its view is drawn."""
    browser.get("about:blank")
    browser.get(address)
    WebDriverWait(browser, 600).until(lambda b: b.find_element(By.TAG_NAME, "body").get_attribute("data-ready"))


def until(browser: webdriver.Chrome, script: str, wanted: Any = True, seconds: float = 600) -> float:
    """Wait until a script's value is the one wanted; the seconds that it took."""
    started = time.perf_counter()
    WebDriverWait(browser, seconds, poll_frequency=0.05).until(lambda b: b.execute_script(f"return {script}") == wanted)
    return time.perf_counter() - started


def complaints(browser: webdriver.Chrome) -> list[str]:
    """What the browser wrote to its console as a warning or worse since the last look."""
    return [entry["message"] for entry in browser.get_log("browser") if entry["level"] in {"SEVERE", "WARNING"}]


def check_accessible(browser: webdriver.Chrome, place: object, rules: list[str] = LEVELS) -> None:
    """Nothing of the page violates level A or AA of the accessibility guidelines, or some rules, as axe-core finds."""
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(AXE.read_text(encoding="utf-8"))
    passed, wrong = browser.execute_async_script(CHECK, rules)
    assert passed and wrong == [], (place, wrong)
