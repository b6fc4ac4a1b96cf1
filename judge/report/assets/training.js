// A training run: its curves by step, and where its validations are.

import { anchor, el, number, plural } from "toolgym/dom.js";
import { COLOURS } from "toolgym/plots.js";
import { link } from "toolgym/router.js";
import { trainingStrip } from "toolgym/training_progress.js";
import uPlot from "toolgym/vendor/uplot.js";

/** Draw a training run into a container; returns what a view returns. */
export async function renderTraining(container, run, source) {
  const plots = el("div", { class: "plots curves" }), strip = trainingStrip(), within = el("div");
  let drawn = [];
  document.head.querySelector("#uplot-style") || document.head.append(el("link", { id: "uplot-style", rel: "stylesheet", href: "/assets/vendor/uplot.css" }));
  container.append(strip.node, plots, within);

  async function draw() {
    const [{ panels, progress }, { runs }] = await Promise.all([source.ask("/curves", { id: run.id }), source.runs()]);
    const below = runs.filter((row) => row.id.startsWith(`${run.id}/`));
    strip.show(progress, runs.find((row) => row.id === run.id)?.state || run.row.state);
    within.replaceChildren(...(below.length ? [el("h2", {}, "Runs within it"),
      el("ul", {}, below.map((row) => el("li", {}, anchor(row.id.slice(run.id.length + 1), link.run(row.id)), ` pass^1 ${number(row.pass)}`)))] : []));
    drawn.forEach((plot) => plot.destroy());
    plots.replaceChildren();
    const boxes = panels.map((panel) => el("figure", { role: "img", "aria-label": spoken(panel) }, el("figcaption", {}, panel.title)));
    plots.append(...boxes); // all of them first: a box's width depends on its neighbours
    drawn = panels.map((panel, place) => new uPlot(options(panel, boxes[place].clientWidth - 26), columns(panel), boxes[place]));
    if (!panels.length) plots.append(el("p", {}, "No step has been made yet."));
  }
  const stop = source.watch(run.id, null, (event) => { if (event.kind === "curves" || event.kind === "progress") draw(); });
  const resize = () => drawn.forEach((plot) => plot.setSize({ width: plot.root.parentNode.clientWidth - 26, height: 220 }));
  addEventListener("resize", resize);
  return { shown: draw, dispose: () => { stop(); removeEventListener("resize", resize); drawn.forEach((plot) => plot.destroy()); } };
}

/** The last value of every line in words: a canvas says nothing to a screen reader. */
function spoken(panel) {
  const last = panel.lines.map(({ label, points }) => `${label} ${number(points.at(-1)[1])} at step ${points.at(-1)[0]}`);
  return `${panel.title}, ${plural(panel.lines.length, "line")}: ${last.join(", ")}`;
}

/** What is drawn of a panel: a long line smoothed, and thin below it what was measured. */
function drawnLines(panel) {
  return panel.lines.flatMap(({ label, points, smooth }, place) => {
    const stroke = COLOURS[place % COLOURS.length];
    return smooth.length ? [{ label: `${label}, each step`, points, stroke: `${stroke}66`, width: 1 }, { label, points: smooth, stroke, width: 2 }] : [{ label,
      points, stroke, width: 2 }];
  });
}

/** One column of steps, and of every line its values there. */
function columns(panel) {
  const steps = [...new Set(panel.lines.flatMap(({ points }) => points.map(([step]) => step)))].sort((a, b) => a - b);
  return [steps, ...drawnLines(panel).map(({ points }) => { const at = new Map(points); return steps.map((step) => at.get(step) ?? null); })];
}

function options(panel, width) {
  const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--quiet"), line = style.getPropertyValue("--line");
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: "11px system-ui" };
  return {
    width: Math.max(240, width), height: 220, scales: { x: { time: false } }, axes: [{ ...axis }, { ...axis, size: 56 }], legend: { live: true },
    series: [{ label: "step" }, ...drawnLines(panel).map(({ label, stroke, width }) => ({ label, stroke, width, spanGaps: true, points: { size: 5 } }))],
  };
}
