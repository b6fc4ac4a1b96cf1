"""What the help desk's actions are called, for the published tasks."""

from toolgym.sandbox.kit.vocabulary import Topic, Vocabulary

VOCABULARY = Vocabulary(
    topics=(
        Topic(
            "location",
            r"where (?:are|is|do|were)|where's|location|at home|abroad|which country|travell?ing|inside the",
            says=("I'm {}.",),
        ),
        Topic(
            "data_amount",
            r"gigabytes?|\bgb\b|how much (?:more |extra |additional )?data|amount of data|data volume|"
            r"how much would you",
            says=("{}, please.",),
        ),
    ),
    verbs={
        "repair": ("fix", "solve", "enable", "turn", "switch", "add", "refuel", "resume", "reset", "send", "activate"),
        "suspend_line": ("suspend", "pause", "freeze"),
        "refuel_data": ("refuel", "add", "top up", "buy"),
        "enable_roaming": ("enable", "activate", "turn on", "switch on"),
        "disable_roaming": ("disable", "deactivate", "turn off", "switch off"),
    },
    imported={"reason": "reason", "user_id": "user_id"},
)
