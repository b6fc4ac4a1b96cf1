"""Users who talk: spoken form, voices, channels, recognition. Nothing here is imported unless speech is asked for."""
