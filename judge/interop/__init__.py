"""Other benchmarks' recorded runs, read into trajectories, and ours written in their formats; docs/exchange.md."""
