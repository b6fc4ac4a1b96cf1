// Two to six runs beside one another: what differs and whether that is more than chance, and the tasks that flip.
// With ?episode= instead of ?run=, episodes of one task: compare_episodes.js.

import * as episodes from "toolgym/compare_episodes.js";
import { anchor, el, faint, fold, number, options, path, plural, problem, quiet, saving, table } from "toolgym/dom.js";
import { depthPlot, familyPlot, interval, passPlot, rewardPlot } from "toolgym/plots.js";
import { link, setQuery } from "toolgym/router.js";
import { MOST } from "toolgym/runs.js";

const PAGE = 20; // flips shown at once
const MEASURES = { clean: "clean pass", pass: "pass^1" };

const gap = (d) => `${d.value >= 0 ? "+" : ""}${number(d.value)} (${number(d.low, 2)} to ${number(d.high, 2)})`;
const p = (d) => (d.p < 0.001 ? "< 0.001" : number(d.p));

/** The differences of one run from the first. */
function differences(first, pair) {
  const rows = [...Object.entries(MEASURES).map(([name, words]) => [words, pair[name]]), ...Object.entries(pair.families)];
  const most = Math.max(0.05, ...rows.flatMap(([, d]) => [Math.abs(d.low), Math.abs(d.high)]));
  return table(["measure", "tasks", first, pair.second, "difference (95 %)", "from − to +", pair.paired ? "p (McNemar, exact)" : "p", "flips"],
    rows.map(([words, d]) => [words, String(d.tasks), number(d.first), number(d.second), gap(d), interval(d, most, gap(d)), p(d),
      d.paired ? `${d.better} better, ${d.worse} worse` : "–"]), [1, 2, 3, 4, 6]);
}

/** The tasks that one passed and the other did not, each with its episodes. */
function flips(first, pair, idOf, query) {
  if (!pair.flips.length) return el("p", {}, pair.paired ? "No task flips." : "");
  const direction = query.get("flips") || "", words = MEASURES[pair.headline];
  const list = pair.flips.filter((flip) => !direction || (direction === "better") === flip.difference > 0);
  const trials = (name, found, task) => Object.entries(found).map(([trial, passed]) =>
    el("a", { class: `tag ${passed ? "good" : "bad"}`, "aria-label": `trial ${trial} ${passed ? "passed" : "failed"}`,
    href: link.episode(idOf(name), task, trial) }, `${trial} ${passed ? "✓" : "✗"}`));
  const both = (flip) => [[first, flip.first], [pair.second, flip.second]].map(([name, found]) =>
    ({ run: idOf(name), task: flip.task, trial: Object.keys(found)[0] }));
  const choice = el("select", { "aria-label": "Which flips", onchange: (event) => { setQuery({ flips: event.target.value }, { push: true });
    dispatchEvent(new PopStateEvent("popstate")); } },
    options([["", "all flips"], ["better", `passed by ${pair.second}, failed by ${first}`], ["worse", `passed by ${first}, failed by ${pair.second}`]],
      direction));
  const row = (flip) => [el("code", {}, flip.task), flip.family, el("span", {}, trials(first, flip.first, flip.task)),
    el("span", {}, trials(pair.second, flip.second, flip.task)), anchor("compare", link.compareEpisodes(both(flip)))];
  const box = el("div"), more = el("button", { type: "button", onclick: () => show(count + PAGE) });
  let count = 0;
  function show(wanted) {
    count = Math.min(list.length, wanted);
    box.replaceChildren(table(["task", "family", first, pair.second, "beside one another"], list.slice(0, count).map(row)));
    more.hidden = count === list.length;
    more.textContent = `show more (${list.length - count})`;
  }
  show(PAGE);
  return [el("div", { class: "filters" }, choice, faint(`${plural(list.length, "task")} by ${words}`)), box, more];
}

/** What the runs do not have in common. */
function notes(first, pair) {
  const said = [];
  if (!pair.paired) said.push("No task is in both, so they are compared as two samples of one split.");
  if (pair.paired && (pair.only_first || pair.only_second)) {
    const more = `only ${first} has ${pair.only_first} more, only ${pair.second} ${pair.only_second}`;
    said.push(`Compared on ${plural(pair.shared, "task")} of both; ${more}.`);
  }
  if (pair.moved.length) said.push(`Left out, as they ask for something else in ${pair.second}: ${pair.moved.join(", ")}.`);
  const differing = Object.entries(pair.differing_settings).map(([name, [one, other]]) => `${name} (${text(one)}, ${text(other)})`);
  if (differing.length) said.push(`They differ in ${differing.join(", ")}.`);
  return said.map((sentence) => quiet(sentence));
}
const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

export const title = (params) => (params.query.has("episode") ? "Compare episodes" : "Compare runs");

export async function render(container, params, source) {
  if (params.query.has("episode")) return { ...(await episodes.render(container, params, source)) };
  const ids = params.query.getAll("run");
  if (ids.length < 2 || ids.length > MOST) throw new Error(`Two to ${MOST} runs are compared; this address names ${ids.length}.`);
  const asked = source.comparison(ids); // pictures stand while it is worked out
  asked.catch(() => {}); // said below, once there is a page
  const runs = await Promise.all(ids.map((id) => source.run(id)));
  const idOf = (name) => runs.find((run) => run.name === name)?.id ?? name, whole = runs.filter((run) => run.summary), file = source.exported({ run: ids });
  const comparison = el("section", { id: "comparison", "aria-busy": "true" }, quiet("Comparing task by task…")), tools = el("div", { class: "tools" });
  let found = null, query = params.query;
  function draw(next) {
    query = next;
    if (!found) return;
    comparison.replaceChildren(...(found.refused ? [el("h2", {}, "Not compared"), el("p", {}, found.refused)] : [
      ...found.comparisons.flatMap((pair) => [el("h2", {}, `${pair.second} against ${found.first}`), el("p", { class: "verdict" }, pair.sentence),
        ...notes(found.first, pair), differences(found.first, pair), el("h3", {}, "Flips"), ...[flips(found.first, pair, idOf, query)].flat()]),
      quiet(found.meaning, found.uncorrected ? ` p is not corrected for ${found.comparisons.length} comparisons.`
        : found.comparisons.length > 1 ? ` p is corrected for ${found.comparisons.length} comparisons (Holm).` : "")]));
    comparison.removeAttribute("aria-busy");
  }
  asked.then((answer) => {
    found = answer;
    tools.replaceChildren(found.refused ? "" : saving(file) || "");
    draw(query);
  }, (error) => comparison.replaceChildren(problem(error.message)));
  const rewards = [...new Set(whole.flatMap((run) => Object.keys(run.summary.scores?.rewards || {})))];
  container.append(path(["runs", link.runs()]), el("h1", {}, `Compare ${runs.map((run) => run.name).join(", ")}`), tools,
    el("div", { class: "plots" }, whole.length ? [passPlot(whole), familyPlot(whole, "families", "pass^1 by family"),
      familyPlot(whole, "difficulties", "pass^1 by difficulty"), depthPlot(whole)] : null),
    comparison, rewards.length ? fold("Rewards", el("div", { class: "plots" }, rewards.map((name) => rewardPlot(whole, name)))) : "");
  return { update: ({ query: next }) => (JSON.stringify(next.getAll("run")) === JSON.stringify(ids) ? draw(next) : false) };
}
