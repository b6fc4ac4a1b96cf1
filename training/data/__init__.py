"""Data for training: rows of a parquet file from tasks, math problems and trajectories, and the order they come in."""
