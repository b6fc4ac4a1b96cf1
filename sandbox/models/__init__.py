"""Language models behind OpenAI-compatible endpoints: settings by role, client, response cache, a local server."""
