"""What an agent's words ask of a person with a phone: sentences in, calls of the user's tools out.

`ASKS` holds a sentence for every tool that `understand` reads back as that call. Keyword rules on plain English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sandbox.kit.message import Json, ToolCall

ASKS: dict[str, str] = {
    "check_status_bar": "Please look at the status bar.",
    "check_network_status": "Please check the network status.",
    "check_network_mode_preference": "Please check the network mode.",
    "set_network_mode_preference": "Please set the network mode to {mode}.",
    "run_speed_test": "Please run a speed test.",
    "toggle_airplane_mode": "Please toggle airplane mode.",
    "check_sim_status": "Please check the SIM card.",
    "reseat_sim_card": "Please reseat the SIM card.",
    "toggle_data": "Please toggle mobile data.",
    "toggle_roaming": "Please toggle data roaming.",
    "check_data_restriction_status": "Please check the data saver.",
    "toggle_data_saver_mode": "Please toggle data saver.",
    "check_apn_settings": "Please check the APN settings.",
    "set_apn_settings": "Please set the APN settings to {apn_settings}",
    "reset_apn_settings": "Please reset the APN settings.",
    "check_wifi_status": "Please check Wi-Fi.",
    "toggle_wifi": "Please toggle Wi-Fi.",
    "check_wifi_calling_status": "Please check Wi-Fi calling.",
    "toggle_wifi_calling": "Please toggle Wi-Fi calling.",
    "check_vpn_status": "Please check the VPN.",
    "connect_vpn": "Please connect the VPN.",
    "disconnect_vpn": "Please disconnect the VPN.",
    "check_installed_apps": "Please list the installed apps.",
    "check_app_status": "Please open the page of the {app_name} app.",
    "check_app_permissions": "Please check the permissions of the {app_name} app.",
    "grant_app_permission": "Please grant the {permission} permission to the {app_name} app.",
    "can_send_mms": "Please try to send a picture message.",
    "reboot_device": "Please restart your phone.",
    "check_payment_request": "Please check your payment requests.",
    "make_payment": "Please make the payment.",
}


@dataclass(frozen=True, slots=True)
class Instruction:
    """Something to do.

    Attributes:
        calls: what to call.
        look: what to look at first, for a switch that must have a certain position.
        switch: the field of that screen that shows the switch.
        wanted: the position it must have; `calls` are made only when it has another.
    """

    calls: tuple[ToolCall, ...]
    look: ToolCall | None = None
    switch: str = ""
    wanted: bool = False


def user_call(name: str, /, **arguments: Json) -> ToolCall:
    """A call of one of the user's tools."""
    return ToolCall(name=name, arguments=arguments, by="user")


_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;")
_CLAUSE = re.compile(r"\s*(?:,? and then |,? then |,? and (?=\w+ (?:the|your|it|on|off|a|if|that|whether)\b)|, )\s*")
_ORDER = re.compile(
    r"^(?:\W*(?:\d+[.)]\s*)?(?:ok(?:ay)?|great|thanks?|thank you|now|next|first|then|finally|second(?:ly)?|also|"
    r"after that|once done|so)[,:]?\s+)*"
    r"(?:please|kindly|go|turn|switch|check|look|open|set|toggle|run|restart|reboot|reset|reseat|re-seat|re-insert|"
    r"remove|take|disconnect|connect|disable|enable|grant|allow|give|make|pay|accept|try|tell|let|see|verify|ensure|"
    r"list|change|select|choose|do|perform|send|power|deactivate|activate|approve)\b"
    r"|\bplease\b|\b(?:can|could|would|will) you\b|\byou (?:should|need to|have to|can now|must)\b|\bi need you to\b|"
    r"\bi(?:'d| would) like you to\b|\btry\b"
)
_QUESTION = re.compile(r"^\W*(?:what|which|is|are|does|do you see|do you have|how|can you see|has)\b.*\?")
_OFFER = re.compile(
    r"\b(?:shall|should|may|can|could) i\b|\bwould you like (?:me )?to\b|\bdo you want\b|\bhave you\b|"
    r"\bi (?:have|will|can|am|just)\b|\bi(?:'ve|'ll|'m)\b|\bon (?:my|our) (?:side|end)\b|\banything else\b|"
    r"\bif you\b|\bdo (?:not|you confirm)\b|\bdon't\b|\bthank you for \w+ing\b"
)
_CONDITION = re.compile(r"(?<!check )(?<!see )(?<!me )(?<!know )(?<!verify )(?<!out )\b(?:if|in case)\b.*")
"""A switch is looked at before it is touched, so its condition need not be understood."""
_BACK = re.compile(r"\b(?:it|that|them|sms|storage)\b|^(?:back )?(?:on|off)\b")
"""Words that speak of the thing named before."""
_CHECK = re.compile(r"\b(?:check|look|see|verify|whether|tell me|what|which|read|show|list|find out|status)\b|\?")
_SURE = re.compile(r"\b(?:make sure|ensure|be sure)\b")
_OFF = re.compile(r"\b(?:off|disable[d]?|deactivate[d]?|disconnect(?:ed)?|leave|exit)\b")
_ON = re.compile(r"\b(?:on|enable[d]?|activate[d]?)\b(?! (?:your|the) (?:phone|device|screen))")
_CHANGE = re.compile(r"\b(?:set|change|switch|select|choose)\b")
_GRANT = re.compile(r"\b(?:grant|allow|give|enable|turn on|add|switch on|make sure|ensure)\b")
_RESEAT = re.compile(r"\bre-?(?:seat|insert)|\b(?:remove|take|pull|put)\b")
_MODES = (
    ("4g_5g_preferred", r"4g[ _/]*(?:and |or )?5g|5g[ _/]*(?:and |or )?4g|lte[ _/]*5g|5g[ _/]*lte|prefer\w* 5g|5g"),
    ("4g_only", r"4g[ _]only|lte[ _]only|only (?:4g|lte)|4g|lte"),
    ("3g_only", r"3g"),
    ("2g_only", r"2g"),
)
_APPS = re.compile(r"\b([a-z][\w-]*) app\b|\bapp ['\"]?([a-z][\w-]*)['\"]?")
_PERMISSION = re.compile(
    r"\b(sms|storage)\b|\b(?!(?:the|app|its|what|which|all|those|these|following)\b)(\w+) permission"
)
_TOPICS = re.compile(
    r"(?P<airplane>(?:air ?plane|aeroplane|flight)[ -]?mode)"
    r"|(?P<bar>status bar|top of (?:the|your) screen|signal bars)"
    r"|(?P<mode>(?:preferred )?network (?:mode|type|preference)(?: preference)?|preferred network)"
    r"|(?P<network>network (?:status|settings|overview|connection)|connection status|cellular (?:status|connection))"
    r"|(?P<speed>speed ?-?test|internet speed|data speed|how fast)"
    r"|(?P<sim>\bsim(?:[ -]card)?\b)"
    r"|(?P<saver>data[ -]saver(?: mode)?|data restriction\w*)"
    r"|(?P<roaming>(?:data |international )?roaming)"
    r"|(?P<data>(?:mobile|cellular) data)"
    r"|(?P<apn>\bapns?\b(?: settings)?|access point(?: name)?)"
    r"|(?P<calling>wi-?fi[ -]calling)"
    r"|(?P<wifi>wi-?fi)"
    r"|(?P<vpn>\bvpn\b)"
    r"|(?P<apps>installed apps|list of apps|which apps)"
    r"|(?P<permission>permissions?)"
    r"|(?P<page>page of the|app status|status of the (?=\w+ app))"
    r"|(?P<mms>\bmms\b(?: messages?)?|picture messages?|multimedia messages?)"
    r"|(?P<reboot>re-?boot|restart|power[ -]cycle)"
    r"|(?P<pay>make (?:the|a|that|this|your) payment|\bpay\b|accept (?:it|the (?:payment )?request)|approve)"
    r"|(?P<request>payment requests?)"
)
_SWITCHES = {
    "airplane": ("toggle_airplane_mode", "check_network_status", "airplane_mode"),
    "data": ("toggle_data", "check_network_status", "mobile_data"),
    "roaming": ("toggle_roaming", "check_network_status", "data_roaming"),
    "wifi": ("toggle_wifi", "check_network_status", "wifi"),
    "saver": ("toggle_data_saver_mode", "check_data_restriction_status", "data_saver"),
    "calling": ("toggle_wifi_calling", "check_wifi_calling_status", "wifi_calling"),
}
"""What has two positions: the tool that changes it, and where on which screen it shows."""
_LOOKS = {
    "airplane": "check_network_status",
    "data": "check_network_status",
    "roaming": "check_network_status",
    "network": "check_network_status",
    "wifi": "check_wifi_status",
    "saver": "check_data_restriction_status",
    "calling": "check_wifi_calling_status",
    "bar": "check_status_bar",
    "mode": "check_network_mode_preference",
    "speed": "run_speed_test",
    "sim": "check_sim_status",
    "apn": "check_apn_settings",
    "vpn": "check_vpn_status",
    "apps": "check_installed_apps",
    "permission": "check_app_permissions",
    "page": "check_app_status",
    "mms": "can_send_mms",
    "pay": "check_payment_request",
    "request": "check_payment_request",
}


@lru_cache(maxsize=4096)
def understand(text: str) -> tuple[Instruction, ...]:
    """What a message asks the user to do, in order."""
    plain, settings = _lifted(text.replace("’", "'").replace("**", ""))
    found: list[Instruction] = []
    about: list[str] = []
    for sentence in _SENTENCE.split(plain.lower()):
        clauses = [clause for clause in _CLAUSE.split(sentence.strip()) if clause]
        ordered = any(_ORDER.search(clause) for clause in clauses)
        asked = ordered or _QUESTION.search(sentence.strip()) is not None
        for clause in clauses:
            said = _CONDITION.sub("", clause)
            topics = _topics(said) or (about[-1:] if _BACK.search(said) and _acts_on(said) else [])
            if asked and not _OFFER.search(clause):
                for topic in topics:
                    wanted = _instructions(topic, said, settings, ordered=ordered)
                    found += [one for one in wanted if found[-1:] != [one] or "toggle" in said]
            about += topics or _topics(clause)
    return tuple(found)


def _lifted(text: str) -> tuple[str, dict[str, Json]]:
    """The text with every JSON object in it replaced by a name, and the objects by these names."""
    objects: dict[str, Json] = {}
    start = text.find("{")
    while start >= 0:
        try:
            value, length = json.JSONDecoder().raw_decode(text[start:])
        except ValueError:
            length = 1
        else:
            name = f"<{len(objects)}>"
            objects[name] = value
            text, length = text[:start] + name + text[start + length :], len(name)
        start = text.find("{", start + length)
    return text, objects


def _topics(clause: str) -> list[str]:
    """What a clause speaks of, each thing once; a payment that is to be made needs no look at the request."""
    found = list(dict.fromkeys(match.lastgroup or "" for match in _TOPICS.finditer(clause)))
    return [topic for topic in found if topic != "request" or "pay" not in found[: found.index("request")]]


def _acts_on(clause: str) -> bool:
    return _position(clause) is not None or any(pattern.search(clause) for pattern in (_CHANGE, _GRANT, _RESEAT))


def _position(clause: str) -> bool | None:
    """On, off, or None where the words say neither or both."""
    on, off = _ON.search(clause) is not None, _OFF.search(clause) is not None
    return None if on == off else on


def _instructions(topic: str, clause: str, settings: Mapping[str, Json], *, ordered: bool) -> Sequence[Instruction]:
    """What a clause wants done about a thing; a mere question only wants it looked at."""
    only_asked = not ordered or (_CHECK.search(clause) is not None and not _SURE.search(clause))
    if topic in _SWITCHES and not only_asked:
        toggle, look, field = _SWITCHES[topic]
        position = _position(clause)
        if position is not None:
            return [Instruction((user_call(toggle),), user_call(look), field, position)]
        if "toggle" in clause:
            return [Instruction((user_call(toggle),))]
    calls = _actions(topic, clause, settings, only_asked=only_asked) if ordered else ()
    return [Instruction((call,)) for call in calls or _look(topic, clause)]


def _look(topic: str, clause: str) -> list[ToolCall]:
    if topic not in _LOOKS:
        return []
    arguments = {"app_name": _app(clause)} if topic in {"permission", "page"} else {}
    return [user_call(_LOOKS[topic], **arguments)]


def _actions(topic: str, clause: str, settings: Mapping[str, Json], *, only_asked: bool) -> list[ToolCall]:
    """The calls that change something, for things that are no plain switches; empty when a look will do."""
    match topic:
        case "reboot":
            return [user_call("reboot_device")]
        case "pay":
            return [user_call("make_payment")]
        case "sim" if _RESEAT.search(clause):
            return [user_call("reseat_sim_card")]
        case "mode" if not only_asked or _CHANGE.search(clause):
            return _network_mode(clause)
        case "apn":
            return _apn(clause, settings)
        case "vpn" if not only_asked:
            return _vpn(clause)
        case "permission" if not only_asked and _GRANT.search(clause):
            names = [one or other for one, other in _PERMISSION.findall(clause)]
            return [user_call("grant_app_permission", app_name=_app(clause), permission=name) for name in names]
    return []


def _network_mode(clause: str) -> list[ToolCall]:
    named = [mode for mode, _ in _MODES if mode in clause]
    named += [mode for mode, pattern in _MODES if re.search(rf"\b(?:{pattern})", clause)]
    return [user_call("set_network_mode_preference", mode=mode) for mode in named[:1]]


def _apn(clause: str, settings: Mapping[str, Json]) -> list[ToolCall]:
    given = [value for name, value in settings.items() if name in clause]
    if given:
        return [user_call("set_apn_settings", apn_settings=given[0])]
    return [user_call("reset_apn_settings")] if re.search(r"\b(?:reset|restore|default)", clause) else []


def _vpn(clause: str) -> list[ToolCall]:
    if _OFF.search(clause):
        return [user_call("disconnect_vpn")]
    return [user_call("connect_vpn")] if _ON.search(clause) or re.search(r"\bconnect\b", clause) else []


def _app(clause: str) -> str:
    """The app that a clause names; the messaging app where it names none."""
    named = [one or other for one, other in _APPS.findall(clause)]
    name = next((name for name in named if name not in {"the", "your", "this", "an", "permission", "permissions"}), "")
    return "messaging" if not name or name.startswith("messag") else name
