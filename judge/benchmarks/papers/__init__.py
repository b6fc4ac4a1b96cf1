"""The tables of the papers, with a model's own runs in the same columns; `FILE.json` holds a paper's rows."""

PAPERS = ("prove", "tier", "toolrl")
"""The names of the papers."""
