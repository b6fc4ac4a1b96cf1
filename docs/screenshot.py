"""Makes the README's pictures: plays the demo's run and photographs its report.

python docs/screenshot.py        # needs Chromium, chromedriver and selenium
"""

import shutil
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

IMAGES = Path(__file__).parent / "images"


def photograph() -> None:
    """Write report.png (summary), episodes.png (the failed ones) and transcript.png (one of them)."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch) / "demo")
        main(
            ["eval", "ToolRetail-v0", "--agent", "rules", "--split", "test", "--trials", "4", "--out", str(folder.path)]
        )
        options = webdriver.ChromeOptions()
        for flag in ("headless", "no-sandbox", "disable-gpu", "hide-scrollbars", "window-size=1280,1150"):
            options.add_argument(f"--{flag}")
        options.binary_location = shutil.which("chromium") or ""
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        IMAGES.mkdir(exist_ok=True)
        run = f"{folder.report_file.as_uri()}#/run/{folder.path.name}"
        _take(browser, f"{run}/summary", "report")
        _take(browser, f"{run}?result=failed", "episodes")
        _take(browser, browser.find_element(By.CSS_SELECTOR, ".grid tbody a").get_attribute("href") or "", "transcript")
        browser.quit()


def _take(browser: webdriver.Chrome, address: str, name: str) -> None:
    browser.get("about:blank")
    browser.get(address)
    WebDriverWait(browser, 30).until(lambda b: b.find_element(By.TAG_NAME, "body").get_attribute("data-ready"))
    browser.save_screenshot(str(IMAGES / f"{name}.png"))


if __name__ == "__main__":
    photograph()
