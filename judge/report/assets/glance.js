// A run at a glance: every task with its trials as a map, and what goes with success. The table below holds the same in words.

import { el, plural } from "toolgym/dom.js";
import { grouped, sortBy } from "toolgym/grid.js";
import { barPlot, stackPlot } from "toolgym/plots.js";

const STATES = [["clean pass", "var(--good)"], ["passed", "var(--fair)"], ["failed", "var(--bad)"], ["left out or not scored", "var(--quiet)"]];
const stateOf = (row) => (row.passed === null || row.passed === undefined ? 3 : !row.passed ? 2 : row.clean ? 0 : 1);
const BUCKETS = 12, TURNS = 24;

/** `href` makes an episode's address; `show(rows, failures)` draws a run's episodes and what infrastructure cut. */
export function glance(href) {
  const body = el("div"), node = el("details", { class: "glance", open: innerWidth > 640, hidden: true }, el("summary", {}, "At a glance"), body);
  function show(rows, failures) {
    node.hidden = !rows.some((row) => row.passed !== null);
    if (node.hidden) return;
    const all = [...rows, ...failures.map((each) => ({ ...each, passed: null, family: "left out" }))];
    body.replaceChildren(map(all, href), el("div", { class: "plots", tabindex: "0", role: "region", "aria-label": "Distributions" }, pictures(rows)));
  }
  return { node, show };
}

function map(rows, href) {
  const counts = STATES.map(([name, colour], state) => [name, colour, rows.filter((row) => stateOf(row) === state).length]).filter(([, , count]) => count);
  const legend = el("p", { class: "legend" }, "Each task with its trials: ",
    counts.map(([name, colour, count]) => el("span", {}, el("i", { style: `background: ${colour}`, "aria-hidden": "true" }), `${name} ${count}`)));
  const families = sortBy([...grouped(rows, { value: (row) => row.family })], ([name]) => name);
  return el("div", {}, legend, el("div", { class: "map", "aria-hidden": "true" }, families.map(([family, some]) => {
    const tasks = sortBy([...grouped(some, { value: (row) => row.task }).values()], (trials) => -trials.filter((row) => row.passed).length / trials.length);
    const passed = tasks.flat().filter((row) => row.passed).length;
    return el("div", {}, el("small", {}, `${family} ${passed} of ${tasks.flat().length}`), el("div", {}, tasks.map((trials) => cell(trials, href))));
  })));
}

/** A task: a stripe for each trial; it leads to the first that failed. */
function cell(trials, href) {
  const ordered = sortBy(trials, (row) => row.trial), share = 100 / ordered.length;
  const stripes = ordered.map((row, place) => `${STATES[stateOf(row)][1]} ${share * place}% ${share * (place + 1)}%`);
  const words = `${ordered[0].task}: ${ordered.filter((row) => row.passed).length} of ${plural(ordered.length, "trial")} passed`;
  return el("a", { tabindex: "-1", title: words, href: href(ordered.find((row) => !row.passed) || ordered[0]),
    style: `background: linear-gradient(${stripes.join(", ")}); height: ${Math.min(40, Math.max(12, 7 * ordered.length))}px` });
}

function pictures(rows) {
  const scored = rows.filter((row) => row.passed !== null), came = STATES.slice(0, 3),
    parts = (some) => came.map((_, state) => some.filter((row) => stateOf(row) === state).length);
  const spread = (name, value) => {
    const buckets = histogram(scored, value);
    return buckets.length > 1 ? stackPlot(name, buckets.map(({ label, rows: some }) => ({ label, values: parts(some) })), came) : null;
  };
  const rewards = Object.keys(scored[0]?.rewards || {}), varied = (name) => new Set(scored.map((row) => row.rewards[name])).size;
  const reward = sortBy(rewards, (name) => -varied(name))[0], cost = scored.some((row) => row.dollars) ? ["$", (row) => row.dollars] : scored.some((row) =>
    row.tokens) ? ["tokens", (row) => row.tokens] : ["calls", (row) => row.calls];
  const longest = Math.min(TURNS, Math.max(0, ...rows.map((row) => (row.scores || []).length)));
  const turns = Array.from({ length: longest }, (_, turn) =>
    ({ label: String(turn), values: [1, 0, -1].map((score) => rows.filter((row) => (row.scores || [])[turn] === score).length) }));
  const faults = sortBy([...grouped(rows.filter((row) => row.fault), { value: (row) => row.fault })], ([, some]) => -some.length).slice(0, 6);
  return [spread("episodes by turns", (row) => row.turns), spread(`episodes by ${cost[0]}`, cost[1]), reward ? spread(`episodes by ${reward} reward`,
    (row) => row.rewards[reward]) : null,
    turns.length ? stackPlot("turn scores, turn by turn", turns, [["+1", "var(--good)"], ["0", "var(--mid)"], ["−1", "var(--bad)"]]) : null,
    faults.length ? barPlot("turns scored -1, by what was done", faults.map(([label, some]) => ({ label, values: [some.length] })), []) : null];
}

/** Rows in buckets of equal width, at most one for each whole number. */
function histogram(rows, value) {
  const values = rows.map(value).filter(Number.isFinite), low = Math.min(...values), high = Math.max(...values), whole = values.every(Number.isInteger);
  if (!(high > low)) return [];
  const width = whole ? Math.ceil((high - low + 1) / BUCKETS) : (high - low) / BUCKETS;
  const count = whole ? Math.floor((high - low) / width) + 1 : BUCKETS;
  const buckets = Array.from({ length: count }, (_, place) => ({ label: whole ? String(low + place * width) : (low + place * width).toPrecision(2),
    rows: [] }));
  for (const row of rows) buckets[Math.min(count - 1, Math.floor((value(row) - low) / width))]?.rows.push(row);
  return buckets;
}
