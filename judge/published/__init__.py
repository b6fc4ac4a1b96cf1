"""A run as one file that others can check: writing and reading it, playing it again, and what does not agree."""
