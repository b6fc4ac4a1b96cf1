"""Sessions for agents that live elsewhere: the Model Context Protocol's door to a world."""
