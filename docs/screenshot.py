"""Makes the README's pictures: plays the demo's run and photographs its report.

python docs/screenshot.py        # needs Chromium, chromedriver and selenium
"""

import shutil
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from judge.evaluation.run_folder import RunFolder
from toolgym.cli import main

IMAGES = Path(__file__).parent / "images"


def photograph() -> None:
    """Write report.png (summary) and transcript.png (a failed conversation)."""
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
        browser.get(folder.report_file.as_uri())
        body = browser.find_element(By.TAG_NAME, "body")
        WebDriverWait(browser, 30).until(lambda _: body.get_attribute("data-ready"))
        IMAGES.mkdir(exist_ok=True)
        browser.save_screenshot(str(IMAGES / "report.png"))
        failed = next(t for t in browser.find_elements(By.CSS_SELECTOR, "details.talk") if "failed" in t.text)
        failed.find_element(By.TAG_NAME, "summary").click()
        browser.execute_script("arguments[0].scrollIntoView(); window.scrollBy(0, -60)", failed)
        browser.save_screenshot(str(IMAGES / "transcript.png"))
        browser.quit()


if __name__ == "__main__":
    photograph()
