"""Makes the README's picture: the report of the demo's run, from the summary to one failed conversation.

python docs/moving_picture.py        # needs Chromium, chromedriver, selenium and Pillow
"""

import io
import json
import shutil
import tempfile
import time
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

PICTURE = Path(__file__).parent / "images" / "report.gif"
SECONDS = 2.5
STEPS = 6
"""Pictures of the conversation, each a page further down."""


def photograph() -> None:
    """Write report.gif: the summary, then a failed conversation page by page."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = RunFolder(Path(scratch) / "demo")
        words = "eval ToolRetail-v0 --agent rules --split test --trials 4 --out"
        main([*words.split(), str(folder.path)])
        lines = (folder.path / "scores.jsonl").read_text(encoding="utf-8").splitlines()
        failed = next(score for score in map(json.loads, lines) if not score["passed"])
        options = webdriver.ChromeOptions()
        for flag in ("headless", "no-sandbox", "disable-gpu", "hide-scrollbars", "window-size=1100,760"):
            options.add_argument(f"--{flag}")
        options.binary_location = shutil.which("chromium") or ""
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        browser.get(folder.report_file.as_uri())
        body = browser.find_element(By.TAG_NAME, "body")
        WebDriverWait(browser, 30).until(lambda _: body.get_attribute("data-ready"))
        shots = [browser.get_screenshot_as_png()]
        browser.execute_script(f"location.hash = '#demo/{failed['task']}/{failed['trial']}/turn-0'")
        for _ in range(STEPS):
            time.sleep(0.7)
            shots.append(browser.get_screenshot_as_png())
            browser.execute_script("window.scrollBy(0, 560)")
        browser.quit()
    frames = [Image.open(io.BytesIO(shot)).convert("RGB").quantize(64) for shot in shots]
    frames[0].save(
        PICTURE, save_all=True, append_images=frames[1:], duration=int(SECONDS * 1000), loop=0, optimize=True
    )


if __name__ == "__main__":
    photograph()
