"""What an agent did against the rules, found in the record: one module for each sort of violation."""
