"""tau2-bench's telecom data and its 2,285 tasks in this world's tables; docs/telecom.md lists what differs."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from toolgym.domains import tau2_files
from toolgym.domains.telecom import schema
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.kit.trouble import difficulty_of
from toolgym.sandbox.kit.world import Database, Dataset, Json, ToolCall
from toolgym.sandbox.synthesis.proof.reachability import shaped

_COVERAGE = {"2G": "poor", "3G": "fair", "4G": "good", "5G": "excellent"}
"""What tau2-bench's users have around them; its data files do not say."""


def tau2(path: str | None = None) -> Dataset:
    """tau2-bench's telecom data from the installed package or a checkout."""
    source = tau2_files.folder("telecom", path)
    split_ids = tau2_files.splits(source)
    names = f"tau2:{path}" if path else "tau2"

    @cache
    def raw_tasks() -> dict[str, dict[str, Any]]:
        return {str(raw["id"]): raw for raw in tau2_files.read_json(source / "tasks.json")}

    @cache
    def tasks(split: str) -> tuple[Task, ...]:
        by_id = raw_tasks()
        return tuple(made(by_id[identifier], split) for identifier in split_ids[split] if identifier in by_id)

    def made(raw: Mapping[str, Json], split: str) -> Task:
        return shaped(tau2_files.require_whole(_task(dict(raw), split, names), raw))

    def convert(raw: Mapping[str, Json]) -> Task:
        return made(raw, "imported")

    return Dataset(
        name=names,
        fill=partial(_fill, source),
        tasks=tasks,
        splits=tuple(split_ids),
        policy=_policy(source, "main_policy.md", "tech_support_manual.md"),
        solo_policy=_policy(source, "main_policy_solo.md", "tech_support_manual.md"),
        convert=convert,
        version=tau2_files.version_of(source, path),
    )


def _policy(source: Path, *files: str) -> str:
    return "\n\n".join((source / file).read_text(encoding="utf-8").strip() for file in files)


# --- rows ---


def _cents(dollars: float) -> int:
    return round(dollars * 100)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise BadInput(f"tau2-bench's data file {path.name} cannot be read: {error}.") from error


def _fill(source: Path, db: Database) -> None:
    raw = _toml(source / "db.toml")
    for plan in raw["plans"]:
        db.insert(
            schema.Plan,
            plan_id=plan["plan_id"],
            name=plan["name"],
            data_limit_gb=plan["data_limit_gb"],
            price_cents=_cents(plan["price_per_month"]),
            refuel_cents_per_gb=_cents(plan["data_refueling_price_per_gb"]),
        )
    for device in raw["devices"]:
        db.insert(schema.Device, model_name=device.pop("model"), **device)
    lines = {line["line_id"]: line for line in raw["lines"]}
    bills = {bill["bill_id"]: bill for bill in raw["bills"]}
    for position, customer in enumerate(raw["customers"]):
        _customer(db, customer, position)
        for index, line_id in enumerate(customer["line_ids"]):
            db.insert(schema.Line, customer_id=customer["customer_id"], position=index, **lines[line_id])
        for index, bill_id in enumerate(customer["bill_ids"]):
            _bill(db, bills[bill_id], index)
    _phone(db, _toml(source / "user_db.toml")["device"])


def _customer(db: Database, customer: dict[str, Any], position: int) -> None:
    plain = {
        name: customer.get(name) for name in ("customer_id", "full_name", "date_of_birth", "email", "phone_number")
    }
    plain |= {name: customer.get(name) for name in ("account_status", "created_at", "last_extension_date")}
    credit = _cents(customer["goodwill_credit_used_this_year"])
    db.insert(schema.Customer, position=position, goodwill_cents=credit, **plain, **customer["address"])
    for index, method in enumerate(customer["payment_methods"]):
        db.insert(
            schema.PaymentMethod,
            customer_id=customer["customer_id"],
            position=index,
            method_type=method["method_type"],
            last_four=method["account_number_last_4"],
            expiration_date=method["expiration_date"],
        )


def _bill(db: Database, bill: dict[str, Any], position: int) -> None:
    plain = {name: value for name, value in bill.items() if name not in {"total_due", "line_items"}}
    db.insert(schema.Bill, position=position, total_cents=_cents(bill["total_due"]), **plain)
    for index, item in enumerate(bill.get("line_items", ())):
        rest = {name: value for name, value in item.items() if name != "amount"}
        db.insert(schema.BillItem, bill_id=bill["bill_id"], position=index, amount_cents=_cents(item["amount"]), **rest)


def _phone(db: Database, device: dict[str, Any]) -> None:
    apn = device["active_apn_settings"]
    db.insert(
        schema.Phone,
        phone_id=schema.PHONE,
        abroad=False,
        battery=device["battery_level"],
        sim=device["sim_card_status"],
        sim_seated=not device["sim_card_missing"],
        airplane_mode=device["airplane_mode"],
        network_status=device["network_connection_status"],
        network_type=device["network_technology_connected"],
        signal=device["network_signal_strength"],
        network_mode=device["network_mode_preference"],
        data_on=device["data_enabled"],
        roaming_on=device["roaming_enabled"],
        data_saver=device["data_saver_mode"],
        apn_name=apn["apn_name"],
        apn_resets_at_reboot=apn.get("reset_at_reboot", False),
        **{name: apn.get(name) for name in ("mms_apn", "mmsc_url", "mms_proxy", "mms_port")},
        wifi_on=device["wifi_enabled"],
        wifi_network=device.get("wifi_ssid"),
        wifi_signal=device["wifi_signal_strength"],
        wifi_calling=device["wifi_calling_enabled"],
        mms_over_wifi=device["wifi_calling_mms_over_wifi"],
        vpn_on=device["vpn_enabled_setting"],
        vpn_connected=device["vpn_connected"],
    )
    for position, (name, status) in enumerate(device["app_statuses"].items()):
        db.insert(schema.App, app_name=name, position=position, **status["permissions"])
    for technology, signal in _COVERAGE.items():
        db.insert(schema.Coverage, technology=technology, signal=signal)


# --- tasks ---


def _task(raw: dict[str, Any], split: str, data: str) -> Task:
    criteria = raw["evaluation_criteria"]
    gold = tuple(tau2_files.call(action) for action in criteria["actions"] or ())
    told = raw["user_scenario"]["instructions"]
    told = {"reason_for_call": told} if isinstance(told, str) else told
    setup = (raw.get("initial_state") or {}).get("initialization_actions") or ()
    faults = _faults(str(raw["id"]))
    return Task(
        id=str(raw["id"]),
        domain="telecom",
        data=data,
        split=split,
        family=str(raw["id"]).partition("]")[0].strip("["),
        difficulty=difficulty_of(len(faults)),
        scenario=tau2_files.scenario(raw),
        persona=raw["user_scenario"].get("persona") or "",
        facts=_facts(told),
        goals=(_goal(told, gold),),
        setup=tuple(ToolCall(name=step["func_name"], arguments=step["arguments"] or {}) for step in setup),
        gold=gold,
        communicate=tuple(criteria.get("communicate_info") or ()),
        assertions=tuple(tau2_files.assertion(entry) for entry in criteria.get("env_assertions") or ()),
        ticket=raw.get("ticket"),
        metadata=tau2_files.metadata(raw) | {"faults": faults},
    )


def _faults(identifier: str) -> list[str]:
    """The faults that a task's id names: `[intent]fault|fault|...[PERSONA:name]`."""
    return [name for name in re.sub(r"\[[^\]]*\]", "", identifier).split("|") if name]


_FACTS = {
    "name": ("known_info", r"You are ([A-Z][\w'-]+ [A-Z][\w'-]+)"),
    "phone_number": ("known_info", r"\b(\d{3}-\d{3}-\d{4})\b"),
    "location": ("known_info", r"currently ((?:abroad|at home)\b[^.]*)"),
    "data_amount": ("task_instructions", r"refuel (\d[\d.]* GB)"),
}
"""Where tau2-bench's text says what the user knows."""


def _facts(told: dict[str, Json]) -> tuple[Fact, ...]:
    """What the user knows, from tau2-bench's free text, and that text itself."""
    found = {name: re.search(pattern, told.get(field) or "") for name, (field, pattern) in _FACTS.items()}
    facts = [Fact(name=name, value=match[1], on_request=True) for name, match in found.items() if match]
    return (*facts, Fact(name="known_info", value=told.get("known_info") or ""))


def _goal(told: dict[str, Json], gold: tuple[ToolCall, ...]) -> Goal:
    handed_over = any(call.name == "transfer_to_human_agents" for call in gold)
    return Goal(
        kind="repair", utterance=told.get("reason_for_call") or "", outcome="transferred" if handed_over else "done"
    )
