"""Play in the page: be the customer or the agent, go on from a recorded turn, save what came of it."""
