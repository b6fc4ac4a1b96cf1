"""Loaded first by each Python that a test starts."""

import one_import_name  # noqa: F401  # refuses what is imported under a folder's name
