"""The users of an episode: scripted, human and model-driven customers. Not for the loop that they talk in."""
