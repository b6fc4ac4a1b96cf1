// All runs of a folder, live, finished, damaged or of another format.

import { duration, el, moment, number, plural } from "toolgym/dom.js";
import { grid } from "toolgym/grid.js";
import { go, link, setQuery } from "toolgym/router.js";

const STATES = { live: "good", finished: "quiet", stopped: "mid", unscored: "mid", damaged: "bad", "other format": "bad" };
const interval = (row) => (row.low === null || row.low === undefined ? "" : ` (${row.low.toFixed(2)} to ${row.high.toFixed(2)})`);
const progress = (row) => {
  const [done, of] = row.kind === "training" ? [row.steps, row.steps_wanted] : [row.episodes, row.state === "finished" ? null : row.wanted];
  return done === null || done === undefined ? "–" : of && of !== done ? `${done} of ${of}` : String(done);
};
const COLUMNS = [
  { name: "name", title: "run", width: 230, value: (row) => row.id },
  { name: "state", title: "state", width: 120, value: (row) => row.state, draw: (row) => el("span", { class: STATES[row.state], title: row.problem || null }, row.state) },
  { name: "env", title: "world", width: 150, value: (row) => row.env },
  { name: "agent", title: "agent", width: 130, value: (row) => [row.agent, row.model, row.consent === "call" ? "(consent=call)" : ""].filter(Boolean).join(" ") },
  { name: "data", title: "data", width: 110, value: (row) => [row.data, row.split].filter(Boolean).join(" ") },
  { name: "tasks", title: "tasks", width: 70, numeric: true, value: (row) => row.tasks },
  { name: "episodes", title: "episodes", width: 110, numeric: true, meaning: "that have ended; of a training its steps", value: (row) => row.episodes ?? row.steps, draw: (row) => progress(row) },
  { name: "clean", title: "clean pass", width: 100, numeric: true, meaning: "passed and broke no rule on the way", value: (row) => row.clean, draw: (row) => number(row.clean) },
  { name: "pass", title: "pass^1", width: 170, numeric: true, meaning: "with its 95 % interval", value: (row) => row.pass, draw: (row) => number(row.pass) + interval(row) },
  { name: "inert", title: "doing nothing", width: 110, numeric: true, meaning: "pass^1 of the inert agent on the same tasks", value: (row) => row.inert, draw: (row) => number(row.inert) },
  { name: "reckless", title: "guessing", width: 90, numeric: true, meaning: "pass^1 of the reckless agent on the same tasks", value: (row) => row.reckless, draw: (row) => number(row.reckless) },
  { name: "dollars", title: "cost", width: 80, numeric: true, value: (row) => row.dollars, draw: (row) => (row.dollars === null ? "–" : `$${row.dollars.toFixed(2)}`) },
  { name: "tokens", title: "tokens", width: 90, numeric: true, value: (row) => row.tokens },
  { name: "started", title: "started", width: 150, value: (row) => row.started, draw: (row) => moment(row.started) },
  { name: "wall", title: "took", width: 80, numeric: true, meaning: "by the clock, from its start to its scores", value: (row) => row.wall, draw: (row) => duration(row.wall) },
  { name: "seconds", title: "episodes took", width: 120, numeric: true, meaning: "of all episodes together, side by side as they were", value: (row) => row.seconds, draw: (row) => duration(row.seconds) },
  { name: "toolgym", title: "toolgym", width: 170, meaning: "version and git revision", value: (row) => row.toolgym },
  { name: "changed", title: "changed", width: 140, value: (row) => row.changed, draw: (row) => moment(row.changed) },
];

export const title = () => "Runs";

export async function render(container, params, source) {
  let { folder, runs } = await source.runs(), query = params.query;
  const table = grid({
    label: "Runs", columns: COLUMNS, href: (row) => link.run(row.id), select: true,
    change: ({ sort }) => draw(setQuery({ sort })),
    tick: (ticked) => { compare.disabled = ticked.size < 2 || ticked.size > 4; },
  });
  const search = el("input", { type: "search", "data-search": "", "aria-label": "Search runs", placeholder: "Search name, world, agent, state", value: query.get("q"), oninput: () => draw(setQuery({ q: search.value })) });
  const compare = el("button", { type: "button", disabled: true, onclick: () => go(link.compareRuns([...table.ticked].map((href) => decodeURIComponent(href.split("/")[2])))) }, "Compare the chosen");
  const count = el("span", { class: "quiet", role: "status" });
  const empty = el("p", { class: "quiet" });
  container.append(el("h1", {}, "Runs", folder ? el("span", { class: "quiet" }, ` in ${folder}`) : null, source.live ? el("a", { class: "aside", href: link.tables() }, "tables") : null),
    el("div", { class: "filters" }, search, count, compare), table.node, empty);

  function draw(next) {
    query = next;
    const words = (query.get("q") || "").toLowerCase().split(/\s+/);
    const found = runs.filter((row) => { const text = COLUMNS.map((column) => column.value(row)).join(" ").toLowerCase(); return words.every((word) => text.includes(word)); });
    count.textContent = `${found.length} of ${plural(runs.length, "run")}`;
    empty.textContent = runs.length ? (found.length ? "" : "No run holds these words.") : "There is no run here yet. `toolgym eval ToolRetail-v0 --agent rules` makes one.";
    table.show(found, { sort: query.get("sort") });
  }
  draw(query);
  const stop = source.watch(null, null, (event) => { if (event.kind === "runs") { runs = event.runs; draw(query); } });
  return {
    shown: () => draw(query), dispose: stop,
    update: ({ query: next }) => { search.value = next.get("q") || ""; draw(next); },
    keys: { j: [() => table.move(1), "next run"], k: [() => table.move(-1), "previous run"] },
  };
}
