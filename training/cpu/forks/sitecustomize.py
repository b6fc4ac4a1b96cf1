"""Loaded first by each Python of a run whose path has this folder: verl's driver and Ray's workers hand over to a fork.

The fork has torch loaded already; this process stays in its place and passes on its signals and its status.
"""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

hidden = PathFinder.find_spec("sitecustomize", [path for path in sys.path if path != os.path.dirname(__file__)])  # noqa: PTH120
if hidden is not None and hidden.loader is not None:  # the one that this one stands before does its work, too
    hidden.loader.exec_module(importlib.util.module_from_spec(hidden))

PROGRAMS = ("verl.trainer.main_ppo", "toolgym.training.launch")
WORKERS = "/ray/_private/workers/"
given = sys.orig_argv[1:]
while given and given[0] in ("-u", "-s"):
    del given[0]

theirs = bool(given) and (WORKERS in given[0] or (given[0] == "-m" and given[1] in PROGRAMS))
if theirs and "TOOLGYM_PRELOADED" in os.environ:
    import json
    import signal
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        server.connect(os.environ["TOOLGYM_PRELOADED"])
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: server.send(bytes([number])))
        asked = {"arguments": given, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109
        message = json.dumps(asked).encode()
        socket.send_fds(server, [len(message).to_bytes(4, "big")], [0, 1, 2])
        server.sendall(message)
        status = server.recv(1)
    os._exit(status[0] if status else 1)
