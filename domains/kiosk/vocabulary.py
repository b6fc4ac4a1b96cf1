"""What the kiosk's actions are called."""

from toolgym.sandbox.kit.vocabulary import Vocabulary

VOCABULARY = Vocabulary(verbs={"reserve_ticket": ("book", "sell"), "release_ticket": ("free", "return", "cancel")})
