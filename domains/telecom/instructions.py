"""What an agent's words ask of a person with a phone: sentences in, calls of the user's tools out.

`ASKS` holds a sentence for every tool that `understand` reads back as that call. Keyword rules on plain English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sandbox.message import Json, ToolCall

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
_CHECK = re.compile(r"\b(?:check|look|see|verify|whether|tell me|what|which|read|show|list|find out|status)\b|\?")
_SURE = re.compile(r"\b(?:make sure|ensure|be sure)\b")
_OFF = re.compile(r"\b(?:off|disable[d]?|deactivate[d]?|disconnect(?:ed)?|leave|exit)\b")
_ON = re.compile(r"\b(?:on|enable[d]?|activate[d]?)\b(?! (?:your|the) (?:phone|device|screen))")
_TOGGLE = re.compile(r"\btoggle\b")
_MODES = (
    ("4g_5g_preferred", r"4g[ _/]*(?:and |or )?5g|5g[ _/]*(?:and |or )?4g|lte[ _/]*5g|5g[ _/]*lte|prefer\w* 5g|5g"),
    ("4g_only", r"4g[ _]only|lte[ _]only|only (?:4g|lte)|4g|lte"),
    ("3g_only", r"3g"),
    ("2g_only", r"2g"),
)
_APPS = re.compile(r"\b([a-z][\w-]*) app\b|\bapp ['\"]?([a-z][\w-]*)['\"]?")
_GRANT = re.compile(r"\b(?:grant|allow|give|enable|turn on|add|switch on)\b")
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
    r"|(?P<request>payment requests?)"
    r"|(?P<pay>make (?:the|a|that|this|your) payment|\bpay\b|accept (?:it|the (?:payment )?request)|approve)"
)
_SWITCHES = {
    "airplane": ("toggle_airplane_mode", "check_network_status", "airplane_mode"),
    "data": ("toggle_data", "check_network_status", "mobile_data"),
    "roaming": ("toggle_roaming", "check_network_status", "data_roaming"),
    "wifi": ("toggle_wifi", "check_network_status", "wifi"),
    "saver": ("toggle_data_saver_mode", "check_data_restriction_status", "data_saver"),
    "calling": ("toggle_wifi_calling", "check_wifi_calling_status", "wifi_calling"),
}
_LOOKS = {
    "bar": "check_status_bar",
    "network": "check_network_status",
    "speed": "run_speed_test",
    "apps": "check_installed_apps",
    "mms": "can_send_mms",
    "wifi": "check_wifi_status",
}


@lru_cache(maxsize=4096)
def understand(text: str) -> tuple[Instruction, ...]:
    """What a message asks the user to do, in order."""
    plain, settings = _lifted(text.replace("’", "'").replace("**", ""))
    found = []
    for sentence in _SENTENCE.split(plain.lower()):
        if _ORDER.search(sentence.strip()) or _QUESTION.search(sentence.strip()):
            for clause in _CLAUSE.split(sentence.strip()):
                if clause and not _OFFER.search(clause):
                    found += list(_in_clause(clause, settings))
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


def _in_clause(clause: str, settings: Mapping[str, Json]) -> Iterator[Instruction]:
    seen: set[str] = set()
    for match in _TOPICS.finditer(clause):
        topic = match.lastgroup or ""
        if topic in seen or (topic == "pay" and "request" in seen and "accept" not in clause):
            continue
        seen.add(topic)
        instruction = _instruction(topic, clause, settings)
        if instruction is not None:
            yield instruction


def _instruction(topic: str, clause: str, settings: Mapping[str, Json]) -> Instruction | None:
    if topic in _SWITCHES:
        return _switch(topic, clause)
    if topic in _LOOKS:
        return Instruction((user_call(_LOOKS[topic]),))
    call = _special(topic, clause, settings)
    return None if call is None else Instruction((call,))


def _switch(topic: str, clause: str) -> Instruction:
    toggle, look, field = _SWITCHES[topic]
    if _TOGGLE.search(clause):
        return Instruction((user_call(toggle),))
    asks = _CHECK.search(clause) and not _SURE.search(clause)
    position = _position(clause)
    if asks or position is None:
        return Instruction((user_call(_LOOKS.get(topic, look)),))
    return Instruction((user_call(toggle),), user_call(look), field, position)


def _position(clause: str) -> bool | None:
    """On, off, or None where the words say neither or both."""
    on, off = _ON.search(clause) is not None, _OFF.search(clause) is not None
    return None if on == off else on


def _special(topic: str, clause: str, settings: Mapping[str, Json]) -> ToolCall | None:
    if topic == "reboot":
        return user_call("reboot_device")
    if topic == "request":
        return user_call("make_payment" if "accept" in clause else "check_payment_request")
    if topic == "pay":
        return user_call("make_payment")
    if topic == "sim":
        again = re.search(r"re-?seat|re-?insert|remove|take|pull|put", clause)
        return user_call("reseat_sim_card" if again else "check_sim_status")
    if topic == "mode":
        return _network_mode(clause)
    if topic == "apn":
        return _apn(clause, settings)
    if topic == "vpn":
        return _vpn(clause)
    return _app(topic, clause)


def _network_mode(clause: str) -> ToolCall:
    wanted = next((mode for mode, pattern in _MODES if re.search(rf"\b(?:{mode}|{pattern})", clause)), None)
    exact = next((mode for mode, _ in _MODES if mode in clause), wanted)
    if exact is None or (_CHECK.search(clause) and not re.search(r"\b(?:set|change|switch|select|choose)\b", clause)):
        return user_call("check_network_mode_preference")
    return user_call("set_network_mode_preference", mode=exact)


def _apn(clause: str, settings: Mapping[str, Json]) -> ToolCall:
    for name, value in settings.items():
        if name in clause:
            return user_call("set_apn_settings", apn_settings=value)
    again = re.search(r"\b(?:reset|restore|default)", clause)
    return user_call("reset_apn_settings" if again else "check_apn_settings")


def _vpn(clause: str) -> ToolCall:
    asks = _CHECK.search(clause) and not _SURE.search(clause)
    if not asks and _OFF.search(clause):
        return user_call("disconnect_vpn")
    if not asks and (_ON.search(clause) or re.search(r"\bconnect\b", clause)):
        return user_call("connect_vpn")
    return user_call("check_vpn_status")


def _app(topic: str, clause: str) -> ToolCall | None:
    named = next(
        (a or b for a, b in _APPS.findall(clause) if (a or b) not in {"the", "your", "this", "an"}), "messaging"
    )
    if topic == "page":
        return user_call("check_app_status", app_name=named)
    permission = re.search(r"\b(sms|storage|phone|network|\w+) permission", clause)
    asks = _CHECK.search(clause) and not _SURE.search(clause)
    if (
        permission
        and permission[1] not in {"the", "app", "its", "what", "which", "all"}
        and _GRANT.search(clause)
        and not asks
    ):
        return user_call("grant_app_permission", app_name=named, permission=permission[1])
    return user_call("check_app_permissions", app_name=named)
