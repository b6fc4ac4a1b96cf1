"""What words mean: dialogue acts and matching of texts, shared by users, verifier and judge."""
