"""What an agent's words ask of a person with a phone: sentences in, calls of the user's tools out.

`ASKS` holds a sentence for every tool that `understand` reads back as that call. Keyword rules on plain English.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from toolgym.domains.telecom.clauses import Clause, clauses
from toolgym.sandbox.kit.message import Json, ToolCall

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


_BACK = re.compile(
    r"\b(?:it|that|them|these|those|both|there|this|one|ones|card|tray|selected|request|sms|storage)\b|"
    r"^(?:back )?(?:on|off)\b|\b(?:on|off) again\b"
)
"""Words that speak of the thing named before."""
_OFF = re.compile(
    r"\boff\b|\b(?:disabl|deactivat|disconnect)\w*|\b(?:exit|leave|quit|stop|close|rid of|inactive)\b|"
    r"\bout of (?!.*\bsim\b)"
)
_ON = re.compile(
    r"\b(?:turn|switch|toggle|flip|put)(?:ed|ing)? (?:back )?on\b|\b(?:enabl|activat)\w*|\bactive\b|"
    r"\bon\b(?= *(?:$|[,.;:!?)\"]|(?:and|then|again|back|for|in|as|now|so|if|please|too|after|before|once|here|when|"
    r"while|or|instead|at|to|under|through|via|from)\b))"
)
_NEGATED = re.compile(r"\b(?:should|must|need|ought to|have to|has to)(?:n't| not)\b|\b(?:isn't|is not|aren't|not)\b")
_THERE_AND_BACK = re.compile(r"\bon\b.{1,40}?\b(?P<off>off)\b|\boff\b.{1,40}?\bon\b")
_CHOOSE = re.compile(r"\b(?:set|change|switch|select|choose|pick|prefer|put|use|adjust|move|go)\b")
_GRANT = re.compile(
    r"\b(?:grant|allow|give|enable|turn|add|switch|let|activate|permit|accept|make sure|ensure|be sure)\b"
)
_RESEAT = re.compile(r"\bre-?(?:seat|insert)|\b(?:remove|take|pull|pop|put|insert|push|seated)\b")
_PAY = re.compile(r"\b(?:pay|paid|accept|approve|settle|confirm)\b")
_SAYS = re.compile(r"\b(?:say|says|selected|show|shows|see|is it|are they|does it|has it|did it|there|set)\b")
_RESET = re.compile(r"\b(?:reset|restor|default)")
_OFF_AND_ON = re.compile(
    r"\b(?:power|turn|switch|shut) "
    r"(?:(?:it|(?:the|your) (?:cell |mobile )?(?:phone|device|handset|mobile|smartphone)) )?"
    r"(?:off|down)(?: completely)?,?(?: wait [^,.]*?,?)? (?:and|then|and then) (?:(?:turn|power|switch) (?:it )?)?"
    r"(?:back )?on\b(?: again)?"
)
"""A restart in other words; `it` is the phone where nothing else has been named."""
_FROM = re.compile(r"\b(?:from|instead of|rather than|not) (?:the )?[2345]g(?:[ _/]*(?:and |or )?[45]g)?(?: only)?\b")
_MODES = (
    ("4g_5g_preferred", r"4g[ _/]*(?:and |or )?5g|5g[ _/]*(?:and |or )?4g|lte[ _/]*5g|5g[ _/]*lte|prefer\w* 5g|5g"),
    ("4g_5g_preferred", r"automatic\w*|fastest|newest|highest"),
    ("4g_only", r"4g[ _]only|lte[ _]only|only (?:4g|lte)|4g|lte"),
    ("3g_only", r"3g"),
    ("2g_only", r"2g"),
)
_APPS = re.compile(r"\b([a-z][\w-]*) app\b|\bapp ['\"]?([a-z][\w-]*)['\"]?")
_NO_APP = frozenset("the your this an permission permissions for of and to".split())
_PERMISSION = re.compile(
    r"\b(sms|storage)\b|"
    r"\b(?!(?:the|app|its|what|which|all|those|these|following|both|that|this|a|any|each|no)\b)(\w+) permission"
)
_TOPICS = re.compile(
    r"(?P<airplane>(?:air ?plane|aeroplane|flight)[ -]?mode)"
    r"|(?P<bar>status bar|top of (?:the|your) (?:screen|phone|display)|signal bars|how many bars)"
    r"|(?P<mode>(?:preferred |your )?network (?:mode|type|preference)(?: preference)?|preferred network|[234]g[ _]only|"
    r"4g[ _/]*(?:and |or )?5g[ _]preferred)"
    r"|(?P<network>network (?:status|settings|overview|connection)|connection status|cellular (?:status|connection)|"
    r"\b(?:signal|reception|service)\b(?! (?:desk|centre|center)))"
    r"|(?P<speed>speed ?-?test|internet speed|data speed|how fast|what speed|"
    r"(?:open|load|visit)\w* (?:a |any |some )?(?:web ?)?(?:sites?|pages?)\b)"
    r"|(?P<sim>\bsim(?:[ -]card)?\b)"
    r"|(?P<saver>data[ -]saver(?: mode)?|data restriction\w*)"
    r"|(?P<roaming>(?:data |international )?roaming)"
    r"|(?P<data>(?:mobile|cellular) data)"
    r"|(?P<apn>\bapns?\b(?: settings)?|access point(?: name)?)"
    r"|(?P<calling>wi-?fi[ -]calling)"
    r"|(?P<wifi>wi-?fi)"
    r"|(?P<vpn>\bvpn\b)"
    r"|(?P<apps>installed apps|list of apps|which apps (?:are|do you))"
    r"|(?P<permission>permissions?|(?:access|use) (?:to )?(?:the |your )?(?:sms|storage)|\b(?:sms|storage)\b)"
    r"|(?P<page>page of the|app status|status of the (?=\w+ app))"
    r"|(?P<mms>\bmms\b(?: messages?)?|(?:picture|photo|multimedia) messages?|"
    r"(?:send\w*|try|test)\b[^,.]{,20} (?:pictures?|photos?|images?))"
    r"|(?P<reboot>re-?boot|restart|power[ -]cycle)"
    r"|(?P<pay>make (?:the|a|that|this|your) payment|\bpay\b|\bpaid\b|accept (?:it|the (?:payment )?request)|approve|"
    r"settle (?:it|the bill)|confirm the payment)"
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
def understand(text: str, before: str = "") -> tuple[Instruction, ...]:
    """What a message asks the user to do, in order.

    Args:
        text: the message.
        before: what the agent has said before it; "it" may be what that was about.
    """
    plain, settings = _lifted(text.replace("’", "'").replace("**", ""))
    about = _topics(before.lower())[-1:]
    found: list[Instruction] = []
    said_before = ""
    for clause in clauses(_OFF_AND_ON.sub("restart", plain.lower())):
        said = clause.text
        topics = _about(clause, about)
        if clause.mood != "told":
            for piece, named in _pieces(said, topics):
                asked = [each for topic in named for each in _instructions(topic, piece, settings, clause, said_before)]
                found += [one for one in asked if _is_new(one, found, said)]
        about = (topics or _topics(clause.whole)) or about
        said_before += f" {clause.whole}"
    return tuple(found)


def _about(clause: Clause, about: Sequence[str]) -> list[str]:
    """What a clause is about: what it names, or what was named before it."""
    topics = _topics(clause.text)
    if clause.mood == "order":
        topics = [topic for topic in topics if topic != "network" or len(topics) == 1]
        if not topics and any(re.search(rf"\b(?:{pattern})", clause.text) for _, pattern in _MODES):
            return ["mode"] if _CHOOSE.search(clause.text) else []
    acts = clause.mood == "order" and _acts_on(clause.text)
    is_asked = clause.mood == "look" and _SAYS.search(clause.text) is not None
    return topics or (list(about[-1:]) if (acts or is_asked) and _BACK.search(clause.text) else [])


def _pieces(said: str, topics: Sequence[str]) -> list[tuple[str, list[str]]]:
    """A clause, or its parts where each says of a thing what it is to be: "data on, VPN off"."""
    parts = [part for part in re.split(r",| and ", said) if part.strip()]
    each = [(part, _topics(part)) for part in parts]
    is_apart = len(parts) > 1 and all(named and _position(part) is not None for part, named in each)
    return each if is_apart else [(said, list(topics))]


def _is_new(one: Instruction, found: Sequence[Instruction], said: str) -> bool:
    """Whether something is to be done that has not just been asked for; a look is worth another after a change."""
    if "toggle" in said:
        return True
    if "again" not in said and one.calls and one.calls[0].name == "reboot_device":
        return one not in found
    return found[-1:] != [one]


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
    return _position(clause) is not None or any(
        each.search(clause) for each in (_CHOOSE, _GRANT, _RESEAT, _RESET, _PAY)
    )


def _position(clause: str) -> bool | None:
    """On, off, or None where the words say neither or both."""
    on, off = _ON.search(_OFF.sub(" ", clause)) is not None, _OFF.search(clause) is not None
    if on == off:
        return None
    return on is not (_NEGATED.search(clause) is not None)


def _instructions(
    topic: str, text: str, settings: Mapping[str, Json], clause: Clause, before: str
) -> Sequence[Instruction]:
    """What a clause wants done about a thing; a mere question only wants it looked at."""
    if clause.mood == "order" and topic in _SWITCHES:
        toggle, look, field = _SWITCHES[topic]
        position = _position(text)
        there = _THERE_AND_BACK.search(text)
        if there and position is None:
            turns = (True, False) if there["off"] else (False, True)
            return [Instruction((user_call(toggle),), user_call(look), field, turn) for turn in turns]
        if position is not None:
            return [Instruction((user_call(toggle),), user_call(look), field, position)]
        if "toggle" in text:
            return [Instruction((user_call(toggle),))]
    calls = _actions(topic, text, settings, before) if clause.mood == "order" else ()
    return [Instruction((call,)) for call in calls or _look(topic, text)]


def _look(topic: str, clause: str) -> list[ToolCall]:
    if topic not in _LOOKS:
        return []
    arguments = {"app_name": _app(clause)} if topic in {"permission", "page"} else {}
    return [user_call(_LOOKS[topic], **arguments)]


def _actions(topic: str, clause: str, settings: Mapping[str, Json], before: str) -> list[ToolCall]:
    """The calls that change something, for things that are no plain switches; empty when a look will do."""
    match topic:
        case "reboot":
            return [user_call("reboot_device")]
        case "pay":
            return [user_call("make_payment")]
        case "request" if _PAY.search(clause):
            return [user_call("make_payment")]
        case "sim" if _RESEAT.search(clause):
            return [user_call("reseat_sim_card")]
        case "mode":
            return _network_mode(_FROM.sub("", clause))
        case "apn":
            return _apn(clause, settings)
        case "vpn":
            return _vpn(clause)
        case "permission" if _GRANT.search(clause):
            names = _permissions(clause) or _permissions(before)
            return [user_call("grant_app_permission", app_name=_app(clause), permission=name) for name in names]
    return []


def _permissions(text: str) -> list[str]:
    return list(dict.fromkeys(one or other for one, other in _PERMISSION.findall(text)))


def _network_mode(clause: str) -> list[ToolCall]:
    named = [mode for mode, _ in _MODES if mode in clause]
    named += [mode for mode, pattern in _MODES if re.search(rf"\b(?:{pattern})", clause)]
    return [user_call("set_network_mode_preference", mode=mode) for mode in named[:1]]


def _apn(clause: str, settings: Mapping[str, Json]) -> list[ToolCall]:
    given = [value for name, value in settings.items() if name in clause]
    if given:
        return [user_call("set_apn_settings", apn_settings=given[0])]
    return [user_call("reset_apn_settings")] if _RESET.search(clause) else []


def _vpn(clause: str) -> list[ToolCall]:
    if _position(clause) is False:
        return [user_call("disconnect_vpn")]
    return [user_call("connect_vpn")] if _position(clause) or re.search(r"\b(?:re)?connect\b", clause) else []


def _app(clause: str) -> str:
    """The app that a clause names; the messaging app where it names none."""
    named = [one or other for one, other in _APPS.findall(clause)]
    name = next((name for name in named if name not in _NO_APP), "")
    return "messaging" if not name or name.startswith("messag") else name
