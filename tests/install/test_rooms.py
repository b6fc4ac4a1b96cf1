"""Which room may know which: an allow-list, held by every import in the code, those inside functions included."""

import grimp
import pytest

ALLOWED = {
    "toolgym.sandbox.kit": (),
    "toolgym.sandbox.runtime": ("toolgym.sandbox.kit",),
    "toolgym.sandbox.language": ("toolgym.sandbox.kit",),
    "toolgym.sandbox": ("toolgym.sandbox",),
    "toolgym.domains.airline": (
        "toolgym.domains.calculator",
        "toolgym.domains.people",
        "toolgym.domains.tau2_files",
        "toolgym.sandbox.agents.dialogue",
        "toolgym.sandbox.kit",
    ),
    "toolgym.domains.banking": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.budget": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.trading": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.travel_booking": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.calculator": ("toolgym.sandbox.kit",),
    "toolgym.domains.calendar": ("toolgym.domains.directory", "toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.crm": ("toolgym.domains.directory", "toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.depthbench": ("toolgym.sandbox.kit",),
    "toolgym.domains.directory": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.filesystem": ("toolgym.domains.directory", "toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.email": ("toolgym.domains.directory", "toolgym.sandbox.kit"),
    "toolgym.domains.iot_devices": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.issue_tracker": ("toolgym.domains.directory", "toolgym.sandbox.kit"),
    "toolgym.domains.food_delivery": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.kiosk": ("toolgym.sandbox.agents.dialogue", "toolgym.sandbox.kit"),
    "toolgym.domains.maps": (
        "toolgym.domains.people",
        "toolgym.domains.routing",
        "toolgym.domains.streets",
        "toolgym.sandbox.kit",
    ),
    "toolgym.domains.marketplace": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.payments": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.people": (),
    "toolgym.domains.retail": (
        "toolgym.domains.calculator",
        "toolgym.domains.people",
        "toolgym.domains.tau2_files",
        "toolgym.sandbox.kit",
    ),
    "toolgym.domains.retail_chain": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.routing": ("toolgym.domains.streets",),
    "toolgym.domains.shopping": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.social_media": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.streets": (),
    "toolgym.domains.tau2_files": ("toolgym.sandbox.kit", "toolgym.sandbox.synthesis.proof.reachability"),
    "toolgym.domains.team_chat": ("toolgym.domains.directory", "toolgym.sandbox.kit"),
    "toolgym.domains.telecom": (
        "toolgym.domains.people",
        "toolgym.domains.tau2_files",
        "toolgym.sandbox.agents.dialogue",
        "toolgym.sandbox.kit",
        "toolgym.sandbox.synthesis.proof.reachability",
    ),
    "toolgym.domains.vehicle": ("toolgym.domains.people", "toolgym.sandbox.kit"),
    "toolgym.domains.video_meeting": ("toolgym.domains.directory", "toolgym.sandbox.kit"),
    "toolgym.domains": (),
    "toolgym.judge": ("toolgym.judge", "toolgym.sandbox"),
    "toolgym.training": ("toolgym.training", "toolgym.judge", "toolgym.sandbox"),
    "toolgym": ("toolgym",),
}
"""What a package may import besides itself; the longest name that fits a module counts."""
GRAPH = grimp.build_graph("toolgym", cache_dir=None)


def inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def package_of(module: str) -> str:
    return max((name for name in ALLOWED if inside(module, name)), key=len)


@pytest.mark.parametrize("package", ALLOWED)
def test_a_room_imports_what_it_may(package: str) -> None:
    members = [module for module in GRAPH.modules if package_of(module) == package]
    assert members
    wrong = [
        f"{module} imports {imported}"
        for module in members
        for imported in sorted(GRAPH.find_modules_directly_imported_by(module))
        if not any(inside(imported, allowed) for allowed in (package, *ALLOWED[package]))
    ]
    assert wrong == []
