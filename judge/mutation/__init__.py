"""Right runs with one thing made wrong: what share of them the verifier and the clean pass notice."""
