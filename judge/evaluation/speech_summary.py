"""How well speech was understood in a run, and what it cost against text. Pure functions of trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.authentication import authentication
from toolgym.judge.evaluation import metrics
from toolgym.judge.scoring.verifier import Basis, Verdict
from toolgym.sandbox.runtime.trajectory import Trajectory

Judged = tuple[Trajectory, Verdict]
_TRIES = 2
"""How often an id may be said until it counts as wrong: once, and once more when asked."""


def summarise_speech(judged: Sequence[Judged], text: Sequence[Judged], basis: Basis) -> dict[str, Any] | None:
    """A spoken run in numbers; None where nobody spoke.

    Args:
        judged: the run's trajectories.
        text: the same tasks and trials played in text; empty where they were not.
        basis: what success compares.

    Returns:
        `word_error_rate` (over what the agent's recogniser heard), `id_errors` of `ids` (as first said) and
        `id_errors_after_repair` (said at most twice), `real_time_factor` (seconds that speaking and listening took per
        second of speech), `unclear` utterances (an id cannot be heard in the user's own voice, before the channel) and
        `pass_hat_clear` (pass^1 without episodes in which an id never was clear), `authentication` (episodes in which
        the agent had to find out who the user is, and did: in all, and with at most one repetition of the user's), and
        `text`, the paired difference.
    """
    spoken = [(trajectory, verdict) for trajectory, verdict in judged if trajectory.modality == "speech"]
    utterances = [entry for trajectory, _ in spoken for entry in trajectory.utterances]
    if not utterances:
        return None
    heard = [entry for entry in utterances if entry.heard is not None]
    checked = [entry for entry in utterances if entry.ids and entry.check_missed is not None]
    seconds = sum(entry.seconds for entry in utterances)
    worked = sum(trajectory.timing.speaking + trajectory.timing.listening for trajectory, _ in spoken)
    said = [missed for trajectory, _ in spoken for missed in _by_id(trajectory).values()]
    clear = [(t, v) for t, v in spoken if not any(all(missed) for missed in _by_id(t, clean=True).values())]
    return {
        "utterances": len(utterances),
        "seconds": seconds,
        "real_time_factor": worked / seconds if seconds else None,
        "word_error_rate": _ratio(sum(e.word_errors for e in heard), sum(e.words for e in heard)),
        "ids": len(said),
        "id_errors": _ratio(sum(missed[0] for missed in said), len(said)),
        "id_errors_after_repair": _ratio(sum(all(missed[:_TRIES]) for missed in said), len(said)),
        "checked": len(checked),
        "unclear": sum(bool(entry.check_missed) for entry in checked),
        "episodes_unclear": len(spoken) - len(clear),
        "pass_hat_clear": metrics.pass_hat_k(_outcomes(clear, basis), 1) if clear else None,
        "authentication": _authenticated([trajectory for trajectory, _ in spoken]),
        "text": _paired(spoken, text, basis),
    }


def _authenticated(spoken: Sequence[Trajectory]) -> dict[str, int] | None:
    found = [result for trajectory in spoken if (result := authentication(trajectory)) is not None]
    if not found:
        return None
    return {
        "episodes": len(found),
        "found": sum(result.found for result in found),
        "found_after_repair": sum(result.easy for result in found),
    }


def speech_rows(speech: Mapping[str, Any]) -> list[tuple[str, str]]:
    """These figures as rows of the summary table."""
    rows = []
    if speech["text"]:
        paired = speech["text"]
        rows.append(
            (
                "in text",
                f"{paired['pass_hat_1']:.3f}  (speech minus text {paired['difference']:+.3f};  95 % "
                f"{paired['low']:+.3f} to {paired['high']:+.3f}, paired over tasks)",
            )
        )
    if speech["authentication"]:
        who = speech["authentication"]
        rows.append(
            (
                "authenticated",
                f"{who['found_after_repair']} of {who['episodes']} users by voice with at most one repetition of "
                f"theirs ({who['found_after_repair'] / who['episodes']:.1%}); {who['found']} in all",
            )
        )
    if speech["word_error_rate"] is not None:
        repaired = speech["id_errors_after_repair"]
        ids = "" if repaired is None else f"; of {speech['ids']} ids {speech['id_errors']:.1%} wrong as first said, "
        ids += "" if repaired is None else f"{repaired:.1%} after one repetition"
        rows.append(("heard", f"word error rate {speech['word_error_rate']:.1%}{ids}"))
    if speech["checked"]:
        cleared = "" if speech["pass_hat_clear"] is None else f"; pass^1 without them {speech['pass_hat_clear']:.3f}"
        rows.append(
            (
                "own voice",
                f"{speech['unclear']} of {speech['checked']} utterances with ids unclear before the channel, never "
                f"clear in {speech['episodes_unclear']} episodes{cleared}",
            )
        )
    factor = speech["real_time_factor"]
    rows.append(
        (
            "speech",
            f"{speech['utterances']} utterances, {speech['seconds']:.0f} s; real-time factor {factor:.2f} "
            "(speaking and listening)",
        )
    )
    return rows


def _by_id(trajectory: Trajectory, *, clean: bool = False) -> dict[str, list[bool]]:
    """Each id of an episode: whether it was missed, each time it was said; `clean`: in the user's own voice."""
    found: dict[str, list[bool]] = {}
    for entry in trajectory.utterances:
        missed = entry.check_missed if clean else entry.missed
        if missed is not None:
            for value in entry.ids:
                found.setdefault(value, []).append(value in missed)
    return found


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _outcomes(judged: Sequence[Judged], basis: Basis) -> dict[str, list[bool]]:
    results: dict[str, list[bool]] = {}
    for trajectory, verdict in judged:
        results.setdefault(trajectory.task.id, []).append(verdict.passed(basis))
    return results


def _paired(spoken: Sequence[Judged], text: Sequence[Judged], basis: Basis) -> dict[str, float] | None:
    if not text:
        return None
    written = _outcomes(text, basis)
    difference, low, high = metrics.paired_difference(written, _outcomes(spoken, basis))
    return {"pass_hat_1": metrics.pass_hat_k(written, 1), "difference": difference, "low": low, "high": high}
