"""The dependency graph of a set of tools: whose results feed whose arguments, and what must come before what."""
