"""Which room may know which: an allow-list, held by every import in the code, those inside functions included."""

import grimp
import pytest

ROOMS = ("sandbox", "domains", "judge", "training", "toolgym")
ALLOWED = {
    "sandbox.kit": (),
    "sandbox.runtime": ("sandbox.kit",),
    "sandbox.language": ("sandbox.kit",),
    "sandbox": ("sandbox",),
    "domains.airline": (
        "domains.calculator",
        "domains.people",
        "domains.tau2_files",
        "sandbox.agents.dialogue",
        "sandbox.kit",
    ),
    "domains.banking": ("domains.people", "sandbox.kit"),
    "domains.budget": ("domains.people", "sandbox.kit"),
    "domains.trading": ("domains.people", "sandbox.kit"),
    "domains.calculator": ("sandbox.kit",),
    "domains.calendar": ("domains.directory", "domains.people", "sandbox.kit"),
    "domains.depthbench": ("sandbox.kit",),
    "domains.directory": ("domains.people", "sandbox.kit"),
    "domains.filesystem": ("domains.directory", "domains.people", "sandbox.kit"),
    "domains.email": ("domains.directory", "sandbox.kit"),
    "domains.kiosk": ("sandbox.agents.dialogue", "sandbox.kit"),
    "domains.marketplace": ("domains.people", "sandbox.kit"),
    "domains.payments": ("domains.people", "sandbox.kit"),
    "domains.people": (),
    "domains.retail": ("domains.calculator", "domains.people", "domains.tau2_files", "sandbox.kit"),
    "domains.retail_chain": ("domains.people", "sandbox.kit"),
    "domains.shopping": ("domains.people", "sandbox.kit"),
    "domains.tau2_files": ("sandbox.kit", "sandbox.synthesis.proof.reachability"),
    "domains.telecom": (
        "domains.people",
        "domains.tau2_files",
        "sandbox.agents.dialogue",
        "sandbox.kit",
        "sandbox.synthesis.proof.reachability",
    ),
    "domains": (),
    "judge": ("judge", "sandbox"),
    "training": ("training", "judge", "sandbox"),
    "toolgym": ROOMS,
}
"""What a package may import besides itself; the longest name that fits a module counts."""
GRAPH = grimp.build_graph(*ROOMS, cache_dir=None)


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
