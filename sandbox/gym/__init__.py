"""The Gymnasium environments, text and speech, with their spaces and their registration."""
