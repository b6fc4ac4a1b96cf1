// Two to four runs, or episodes of one task, beside one another.

import { el, number, table } from "toolgym/dom.js";
import { depthPlot, familyPlot, passPlot, rewardPlot } from "toolgym/plots.js";

/** Every run against the first one, as `toolgym compare` says it; or why they are not compared. */
function compared(found) {
  if (!found) return [];
  if (found.refused) return [el("h3", {}, "Not compared"), el("p", {}, found.refused)];
  const gap = (d) => `${d.value >= 0 ? "+" : ""}${number(d.value)} (${number(d.low, 2)} to ${number(d.high, 2)})`;
  const p = (d) => (d.p < 0.001 ? "< 0.001" : number(d.p));
  const rows = found.comparisons.flatMap((pair) => [["clean", "clean pass"], ["pass", "pass^1"]].map(([name, words]) =>
    [pair.second, words, String(pair[name].tasks), gap(pair[name]), p(pair[name]), `${pair[name].better} better, ${pair[name].worse} worse`]));
  return [el("h3", {}, `Differences from ${found.first}`), ...found.comparisons.map((pair) => el("p", {}, pair.sentence)),
    table(["run", "measure", "tasks", "difference (95 %)", "p", "tasks that flip"], rows, [2, 3, 4]), el("p", { class: "quiet" }, found.meaning)];
}

export const title = () => "Compare";

export async function render(container, params, source) {
  const ids = params.query.getAll("run");
  const [found, ...runs] = await Promise.all([source.comparison(ids), ...ids.map((id) => source.run(id))]);
  container.append(el("h1", {}, "Compare"), el("section", { id: "comparison" }, compared(found)),
    el("div", { class: "plots" }, passPlot(runs), depthPlot(runs), familyPlot(runs, "families", "pass^1 by family"),
      familyPlot(runs, "difficulties", "pass^1 by difficulty"), ["tarl", "toolrl", "prove", "tier"].map((name) => rewardPlot(runs, name))));
  return {};
}
