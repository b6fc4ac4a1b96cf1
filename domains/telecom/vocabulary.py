"""What the help desk's actions are called, for the published tasks."""

from sandbox.kit.vocabulary import Vocabulary

VOCABULARY = Vocabulary(
    verbs={
        "repair": ("fix", "solve", "enable", "turn", "switch", "add", "refuel", "resume", "reset", "send", "activate"),
        "suspend_line": ("suspend", "pause", "freeze"),
        "refuel_data": ("refuel", "add", "top up", "buy"),
        "enable_roaming": ("enable", "activate", "turn", "switch"),
        "disable_roaming": ("disable", "deactivate", "turn", "switch"),
    },
    imported={"reason": "reason", "user_id": "user_id"},
)
