// How far a running evaluation is: episodes, what passed so far, the rate, the time left, what failed for reasons of its own.

import { announce, duration, el, fold, number, plural } from "toolgym/dom.js";

/** A strip that `show(progress)` fills; empty for a run that is over and lacks nothing. */
export function strip() {
  const node = el("section", { class: "live", "aria-label": "Progress", hidden: true });
  let was = null;

  function show(now) {
    if (!now) return;
    const pass = now.judged ? `${number(now.passed / now.judged)} passed of ${now.judged} judged so far` : "none judged yet";
    const whole = now.wanted ?? now.done + now.failures;
    node.hidden = !now.live && !now.failures && !(now.wanted && now.done < now.wanted);
    node.replaceChildren(
      el("p", {}, el("b", { class: now.live ? "good" : "quiet" }, now.live ? "running" : "not running"), ` ${now.done} of ${plural(whole, "episode")}`,
        now.live || now.judged ? `; ${pass}` : "",
        now.live && now.wanted && now.done + now.failures >= now.wanted ? "; being scored" : now.live &&
          now.rate !== null ? `; ${now.rate >= 1 ? `${now.rate.toFixed(1)} a second` : `${(60 * now.rate).toFixed(1)} a minute`}` : "",
        now.left_seconds ? `; about ${duration(now.left_seconds)} left` : ""),
      el("progress", { max: Math.max(1, whole), value: now.done, "aria-label": "episodes that have ended" }),
      now.failures ? fold(`${plural(now.failures, "infrastructure failure")}, left out of every average`,
        el("ul", {}, now.last_failures.map((each) => el("li", {}, `${each.task}, trial ${each.trial}: ${each.boundary}: ${each.message}`)))) : "");
    if (was && was.live && !now.live) announce("The run has ended");
    was = now;
  }
  return { node, show };
}
