"""Proving tasks and worlds sound: replay, comparison of end states, reachability, lint, and the checker of worlds."""
