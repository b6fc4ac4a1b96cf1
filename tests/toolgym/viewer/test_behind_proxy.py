"""The viewer behind nginx, which takes the path off or leaves it on, and a viewer in which nothing can be changed."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from chromium import complaints, needs_browser, until, visit
from selenium import webdriver
from selenium.webdriver.common.by import By
from viewer_process import Viewer

NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
needs_proxy = pytest.mark.skipif(NGINX is None, reason="no nginx on this machine")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer"), needs_browser]
TOKEN = "a-token-that-is-long"
CALLS = '{"calls": [{"name": "find_user_id_by_email", "arguments": {"email": "nobody@example.org"}}]}'
CONFIGURATION = """
daemon off; pid {place}/pid; error_log {place}/errors; events {{}}
http {{ access_log off; client_body_temp_path {place}/a; proxy_temp_path {place}/b; fastcgi_temp_path {place}/c;
  uwsgi_temp_path {place}/d; scgi_temp_path {place}/e;
  server {{ listen 127.0.0.1:{port}; location /gym/ {{ proxy_pass {target}; proxy_set_header Host $http_host; }} }} }}
"""


@contextmanager
def proxy(place: Path, viewer: Viewer, path: str) -> Iterator[str]:
    """nginx in front of a viewer's `/gym/`, which it asks for as `path`; the address of its page."""
    assert NGINX is not None
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    inner = urlsplit(viewer.address)
    written = place / "nginx.conf"
    target = f"http://{inner.netloc}{path}"
    written.write_text(CONFIGURATION.format(place=place, port=port, target=target), encoding="utf-8")
    running = subprocess.Popen([NGINX, "-c", str(written), "-e", str(place / "errors")])
    try:
        address = f"http://127.0.0.1:{port}/gym/"
        httpx.Client(transport=httpx.HTTPTransport(retries=8), timeout=600).get(address)
        yield address
    finally:
        running.terminate()
        running.wait(600)


@needs_proxy
@pytest.mark.parametrize(("flags", "path"), [([], "/"), (["--base-path", "/gym"], "/gym/")])
def test_the_page_works_below_a_path(
    browser: webdriver.Chrome, runs: Path, tmp_path: Path, flags: list[str], path: str
) -> None:
    with Viewer(runs, "--token", TOKEN, *flags) as viewer, proxy(tmp_path, viewer, path) as address:
        visit(browser, f"{address}?token={TOKEN}")
        until(browser, "document.querySelectorAll('.grid tbody a').length", 7)
        assert browser.current_url.startswith(f"{address}#/runs")
        browser.execute_script(
            "window.told = 0; new EventSource('api/events').onmessage = () => { window.told += 1; };"
            "window.posted = 0; fetch('api/scratch?name=retail', { method: 'POST', body: arguments[0],"
            " headers: { 'content-type': 'application/json' } }).then((answer) => { window.posted = answer.status; })",
            CALLS,
        )
        until(browser, "window.told > 0 && window.posted", 200)
        browser.find_element(By.LINK_TEXT, "good").click()
        until(browser, "document.getElementById('count')?.textContent", "40 of 40")
        browser.find_element(By.CSS_SELECTOR, ".grid tbody a").click()
        until(browser, "document.querySelectorAll('.turn').length > 0")
        assert complaints(browser) == []
        inner = urlsplit(viewer.address)
        cookie = httpx.get(f"http://{inner.netloc}{path}?token={TOKEN}", timeout=600).headers["set-cookie"]
        assert f"Path={path};" in cookie


def test_a_path_without_its_stroke_leads_to_the_page_and_what_is_no_path_is_said(runs: Path) -> None:
    with Viewer(runs, "--base-path", "/gym/") as viewer:
        assert viewer.address.endswith("/gym/")
        shown = httpx.get(f"{viewer.address.rstrip('/')}?a=1", timeout=600)
        assert shown.headers["location"] == "/gym/?a=1"
        assert httpx.get(viewer.address, timeout=600).status_code == 200


def test_a_viewer_that_is_read_only_offers_and_takes_no_change(browser: webdriver.Chrome, runs: Path) -> None:
    with Viewer(runs, "--read-only") as viewer:
        visit(browser, f"{viewer.address}#/run/good")
        assert browser.find_elements(By.LINK_TEXT, "annotate") == []
        assert [each.text for each in browser.find_elements(By.CSS_SELECTOR, "nav a")] == ["Runs", "Worlds"]
        browser.find_element(By.CSS_SELECTOR, ".grid tbody a").click()
        until(browser, "document.querySelectorAll('.turn').length > 0")
        assert browser.find_elements(By.CSS_SELECTOR, ".fork") == []
        assert complaints(browser) == []
        for place in ("#/play", "#/run/good/annotate"):
            visit(browser, f"{viewer.address}{place}")
            assert "read-only" in browser.find_element(By.CSS_SELECTOR, "[role=alert]").text
        for path in ("play", "play/say", "annotations", "scratch"):
            refused = httpx.post(f"{viewer.address}api/{path}", json={}, headers={"origin": viewer.address.rstrip("/")})
            assert refused.status_code == 403 and "read-only" in refused.json()["detail"]
