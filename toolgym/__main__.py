"""The command line, as `toolgym` and as `python -m toolgym`."""

import sys

from toolgym.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
