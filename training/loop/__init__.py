"""Agent loops for verl: how one training row becomes one trajectory of token ids, a loss mask and rewards."""
