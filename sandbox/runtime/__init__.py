"""What runs a world: sessions, episodes, trajectories, roles, settings, and the registry of what is installed."""
