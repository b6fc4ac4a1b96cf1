"""The machinery of worlds: kit, runtime, language, users, agents, models, formats, speech, environments, servers."""
