"""Sessions for agents that live elsewhere: one world behind REST and the Model Context Protocol."""
