"""Look at runs in the browser: all runs of a folder, their episodes, and runs in progress.

toolgym view                 the runs in runs/
toolgym view RUN             one run, or another folder of runs
toolgym view --server URL    the sessions of a `toolgym serve --watch` as well
toolgym view --export DIR    a static site of the runs, with all their conversations, instead of a server
toolgym view FILE            recorded runs of tau-bench, tau2-bench or Inspect, results, trajectories; a result folder
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import shlex
import socket
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import uvicorn

from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.reading import RESULTS
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.text import escaped
from toolgym.sandbox.models.settings import http_url
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.viewer import site
from toolgym.viewer.files import import_into
from toolgym.viewer.folders import Folders
from toolgym.viewer.guard import LOOPBACK
from toolgym.viewer.open_run import OpenRuns
from toolgym.viewer.server import application
from toolgym.viewer.sessions import SessionServer

_SHORTEST = 16
"""Characters of a token; nobody tries that many."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym view`."""
    parser.add_argument("folder", nargs="?", default="runs", metavar="FOLDER", help="runs, or one run (default: runs)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: this machine alone)")
    parser.add_argument("--port", type=int, default=8020, metavar="N", help="0 for any free one (default: 8020)")
    parser.add_argument("--token", default=None, help="what others must show; made up for a --host that others reach")
    parser.add_argument(
        "--export",
        default=None,
        metavar="DIR",
        type=Path,
        help="write a static site of the runs instead of serving them",
    )
    parser.add_argument("--read-only", action="store_true", help="visitors can look, but not play, score or call tools")
    parser.add_argument(
        "--base-path", default="", metavar="/PATH", help="the path below which a proxy shows the page, such as /gym"
    )
    parser.add_argument(
        "--server", default=None, metavar="URL", help="watch a toolgym serve; its token is taken from TOOLGYM_TOKEN"
    )


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym view`."""
    token, base = arguments.token, arguments.base_path.rstrip("/")
    if base and not re.fullmatch(r"(/[\w.~-]+)+", base):
        raise BadInput(f"--base-path is a path such as /gym; got {arguments.base_path!r}.")
    arguments.base_path = base
    if token is not None and len(token) < _SHORTEST:
        raise BadInput(f"A token needs at least {_SHORTEST} characters; leave --token out and one is made up.")
    if token is None and arguments.host not in LOOPBACK:
        token = secrets.token_urlsafe(_SHORTEST)
    if arguments.server is not None:
        try:
            http_url(arguments.server)
        except ValueError as error:
            raise BadInput(f"--server: {error}; got {arguments.server!r}.") from None
    folder = Path(arguments.folder)
    watched = None if arguments.server is None else SessionServer(arguments.server, os.environ.get("TOOLGYM_TOKEN"))
    if _is_results(folder):
        folder /= RESULTS
    if arguments.export is not None:
        return _export(folder, arguments.export)
    if not folder.is_file():
        return _serve(folder, arguments, token, watched)
    with TemporaryDirectory(prefix="toolgym-view-") as place:
        import_into(Path(place), folder)
        return _serve(Path(place), arguments, token, watched, kept=False)


def _export(folder: Path, place: Path) -> int:
    """Write the runs of a folder as a site."""
    if not folder.is_dir():
        raise BadInput(f"There is no folder {folder} to export; `toolgym eval` writes runs to runs/.")
    with Progress(SafeConsole(), "exporting") as bar:
        left_out = site.write(OpenRuns(Folders(folder)), place, bar.advance)
    files = [each for each in place.rglob("*") if each.is_file()]
    size = sum(each.stat().st_size for each in files) / 1e6
    print(f"{place}: {len(files)} files, {size:.1f} MB, for any web server or pages host. Look at it:")
    print(f"  {shlex.join([Path(sys.executable).name, '-m', 'http.server', '-d', str(place)])}")
    if left_out:
        print(f"Left out, as they hold no conversation that can be read: {escaped(', '.join(left_out))}.")
    return 0


def _is_results(folder: Path) -> bool:
    """Whether a folder is a result of tau2-bench, and no run of ours."""
    return (folder / RESULTS).is_file() and not RunFolder(folder).settings_file.is_file()


def _serve(
    folder: Path, arguments: argparse.Namespace, token: str | None, watched: SessionServer | None, *, kept: bool = True
) -> int:
    """Serve a folder's page until it is interrupted."""
    servers: list[uvicorn.Server] = []
    app = application(
        folder,
        token,
        lambda: any(server.should_exit for server in servers),
        watched,
        kept=kept,
        base=arguments.base_path,
        read_only=arguments.read_only,
    )
    listener = _listen(arguments.host, arguments.port)
    place = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    address = f"http://{place}:{listener.getsockname()[1]}{arguments.base_path}/" + (f"?token={token}" if token else "")
    print(f"{arguments.folder} can be viewed at {address}  (Ctrl-C ends it)", flush=True)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=2
    )
    servers.append(uvicorn.Server(config))
    servers[0].run([listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"Nothing can listen at {host}, port {port}: {why}. Choose another with --port.") from None
