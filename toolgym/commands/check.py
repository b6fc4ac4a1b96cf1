"""Tell a domain's author what is wrong or missing: schemas, atomicity, isolation, determinism, tasks, conversations.

toolgym check kiosk
toolgym check banking --explain daily_limit
"""

from __future__ import annotations

import argparse

from toolgym.judge.audit.conversations import unsettled
from toolgym.sandbox.runtime.progress import Progress
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.terminal import SafeConsole
from toolgym.sandbox.synthesis.proof.check import check
from toolgym.sandbox.synthesis.proof.explained import explained


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags of `toolgym check`."""
    parser.add_argument("domain", help="name of the installed domain")
    parser.add_argument("--explain", metavar="RULE", help="show calls that keep and break a rule, instead of checking")


def run(arguments: argparse.Namespace) -> int:
    """Entry of `toolgym check`."""
    console = SafeConsole()
    domain = get_domain(arguments.domain)
    if arguments.explain:
        for line in explained(domain, arguments.explain):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        return 0
    with Progress(console, "checking") as bar:
        problems = check(domain, lambda name: bar.doing(f"checking {name}"))
        if not problems:
            bar.doing("checking conversations")
            problems = sorted(unsettled(domain))
    for problem in problems:
        console.print(f"- {problem}", highlight=False, markup=False, soft_wrap=True)
    if problems:
        console.print(f"{domain.name}: {len(problems)} problem(s).", style="bold red")
        return 1
    console.print(f"{domain.name}: no problem found.", style="bold green")
    return 0
