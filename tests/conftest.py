"""What holds for all tests."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # how long an example takes says more of the machine than of it
settings.load_profile("untimed")
