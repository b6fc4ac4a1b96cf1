// How far a training is: steps, rates, time left, its last validation, what its trainer warns of, what infrastructure cut.

import { announce, duration, el, fold, number, plural, problem } from "toolgym/dom.js";

const rate = (count, what) => (count >= 1 ? `${count.toFixed(1)} ${what}s a second` : `${(60 * count).toFixed(1)} ${what}s a minute`);

/** A strip that `show(progress, state)` fills; toolgym/viewer/training_progress.py says what it holds. */
export function trainingStrip() {
  const node = el("section", { class: "live", "aria-label": "Progress" }), alarms = el("div");
  let was = null;

  function show(now, state) {
    const pace = now.live && now.step_seconds ? [`${duration(now.step_seconds)} a step`, rate(1 / now.step_seconds, "step"),
      rate(now.episodes_a_second, "episode")] : [];
    node.replaceChildren(
      el("p", {}, el("b", { class: now.live ? "good" : "quiet" }, now.live ? "running" : state),
        ` step ${now.step ?? 0}${now.wanted ? ` of ${now.wanted}` : ""}`,
        pace.map((each) => `; ${each}`), now.left_seconds === null ? "" : `; about ${duration(now.left_seconds)} left`),
      now.wanted ? el("progress", { max: now.wanted, value: now.step ?? 0, "aria-label": "steps that were made" }) : "",
      now.validation ? el("p", {}, `Last validation, at step ${now.validation.step}: `, now.validation.sources.map(came).join("; ")) : "",
      now.lost || now.last_lost.length ? fold(`${plural(now.lost, "episode")} lost to infrastructure, left out of their groups`,
        el("ul", {}, now.last_lost.map((each) => el("li", {}, `${each.task}: ${each.boundary}: ${each.message}`)))) : "");
    if (now.errors.length) node.append(el("p", {}, "Its log (train.log) says last:"),
      el("ul", { class: "errors" }, now.errors.map((each) => el("li", {}, each))));
    alarms.replaceChildren(...now.warnings.map((each) => problem(each)));
    if (was?.live && !now.live) announce("The training has ended");
    was = now;
  }
  return { node: el("div", {}, alarms, node), show };
}

function came({ source, ...values }) {
  const words = { clean: "clean", damage: "damage", exploit: "exploits" };
  const known = ["pass^1", "clean", "damage", "exploit"].filter((name) => name in values);
  return `${source} ${known.map((name) => `${words[name] || name} ${number(values[name])}`).join(", ")}`;
}
