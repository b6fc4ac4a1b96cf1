"""Playing tasks and counting: settings, players, run folders, metrics and summaries."""
