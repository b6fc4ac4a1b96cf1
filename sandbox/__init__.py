"""The machinery of a world: domains, tools, sessions, users, episodes, the Gymnasium environment and the servers."""
