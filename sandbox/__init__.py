"""The machinery of worlds: kit, runtime, users, agents, models, formats, speech, the Gymnasium environments and the servers."""
