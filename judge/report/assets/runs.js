// All runs of a folder as a dashboard: what each was of, what it came to, how it compares with agents of no use.

import { duration, el, faint, known, moment, number, plural, quiet, searching, tag } from "toolgym/dom.js";
import { filters } from "toolgym/filters.js";
import { columnsOf, grid, holding } from "toolgym/grid.js";
import { meter } from "toolgym/plots.js";
import { go, link, setQuery } from "toolgym/router.js";
import { same } from "toolgym/values.js";

export const MOST = 6; // runs that are compared at once: as many as there are colours
const STATES = { live: "good", finished: "quiet", stopped: "mid", unscored: "mid", damaged: "bad", "other format": "bad" };
const progress = (row) => {
  const [done, of] = row.kind === "training" ? [row.steps, row.steps_wanted] : [row.episodes, row.state === "finished" ? null : row.wanted];
  return !known(done) ? "–" : of && of !== done ? `${done} of ${of}` : String(done);
};
const agent = (row) => [row.agent, row.model].filter(Boolean).join(" ");
const data = (row) => [row.data, row.split].filter(Boolean).join(" ");
const user = (row) => [row.user, row.user_number].filter(known).join(" ");
/** What is not as usual; two runs that differ in it are not of one kind. */
const variants = (row) => [row.consent === "call" && "consent=call", row.perturb && `perturb=${row.perturb}`,
  row.modality && row.modality !== "text" && row.modality, row.solo && "solo"].filter(Boolean);
const setting = (row) => [row.env, agent(row), data(row), user(row), ...variants(row)].filter(Boolean).join(", ");
const tags = (row) => el("span", {}, [data(row), user(row)].filter(Boolean).map((each) => tag(each)), variants(row).map((each) => tag(each, "mid")));

function measured(value, low, high, row) {
  if (!known(value)) return "–";
  const words = [number(value), known(low) && `95 % ${number(low, 2)} to ${number(high, 2)}`,
    known(row.inert) && `doing nothing ${number(row.inert)}`, known(row.reckless) && `guessing ${number(row.reckless)}`];
  return el("span", { class: "measured" }, meter(value, words.filter(Boolean).join("; "), { low, high, floors: [row.inert, row.reckless] }), number(value));
}
const cost = (row, dearest) => (!known(row.dollars) ? "–" : el("span", { class: "measured" },
  meter(row.dollars / (dearest || 1), `$${row.dollars.toFixed(4)}`), `$${row.dollars.toFixed(2)}`));

const FLOORS = "with its 95 % interval; the marks are agents that do nothing and that guess, on the same tasks";
const columns = (dearest) => columnsOf([
  { name: "name", title: "run", width: 190, value: (row) => row.id },
  { name: "state", width: 90, draw: (row) => el("span", { class: STATES[row.state], title: row.problem || null }, row.state) },
  { name: "env", title: "world", width: 120 }, { name: "agent", width: 125, value: agent },
  { name: "setting", title: "played with", width: 280, meaning: "data and split, user, and what is not as usual", value: setting, draw: tags },
  { name: "pass", title: "pass^1", width: 158, numeric: true, meaning: FLOORS, draw: (row) => measured(row.pass, row.low, row.high, row) },
  { name: "clean", title: "clean pass", width: 158, numeric: true, meaning: `passed, told everything and broke no rule; ${FLOORS}`,
    draw: (row) => measured(row.clean, row.clean_low, row.clean_high, row) },
  { name: "dollars", title: "cost", width: 110, numeric: true, draw: (row) => cost(row, dearest()) },
  { name: "episodes", width: 88, numeric: true, meaning: "that have ended; of a training its steps", value: (row) => row.episodes ?? row.steps,
    draw: progress },
  { name: "started", width: 148, numeric: true, value: (row) => row.started ?? row.changed, as: moment },
  { name: "wall", title: "took", width: 70, numeric: true, meaning: "by the clock, from its start to its scores", as: duration },
  { name: "data", width: 110, optional: true, value: data }, { name: "user", width: 110, optional: true, value: user },
  { name: "variant", width: 150, optional: true, value: (row) => variants(row).join(", "),
    keys: (row) => (variants(row).length ? variants(row) : ["as usual"]) },
  { name: "tasks", width: 70, numeric: true, optional: true },
  { name: "inert", title: "doing nothing", width: 110, numeric: true, optional: true, meaning: "pass^1 of the inert agent on the same tasks", as: number },
  { name: "reckless", title: "guessing", width: 90, numeric: true, optional: true, meaning: "pass^1 of the reckless agent on the same tasks", as: number },
  { name: "tokens", width: 90, numeric: true, optional: true },
  { name: "seconds", title: "episodes took", width: 120, numeric: true, optional: true, meaning: "of all episodes together, side by side as they were",
    as: duration },
  { name: "toolgym", width: 170, optional: true, meaning: "version and git revision" },
  { name: "changed", width: 140, numeric: true, optional: true, as: moment },
]);
const GROUPS = { setting: "repeats of one setting", env: "world", agent: "agent", user: "user", state: "state" };

/** A group in words: how many, and within which limits they passed. */
function summary(rows) {
  const passed = rows.map((row) => row.pass).filter(known);
  const mean = passed.reduce((sum, each) => sum + each, 0) / passed.length;
  const spread = passed.length > 1 ? ` (${number(Math.min(...passed))} to ${number(Math.max(...passed))})` : "";
  return plural(rows.length, "run") + (passed.length ? `, pass^1 ${number(mean)}${spread}` : "");
}

export const title = () => "Runs";

export async function render(container, params, source) {
  let { folder, runs } = await source.runs(), query = params.query;
  const dearest = () => Math.max(0, ...runs.map((row) => row.dollars || 0)), shown = columns(dearest);
  const table = grid({
    label: "Runs", columns: shown, href: (row) => link.run(row.id), select: true, summary,
    change: ({ sort }) => draw(setQuery({ sort })),
    tick: (ticked) => {
      compare.disabled = ticked.size < 2 || ticked.size > MOST;
      compare.textContent = ticked.size ? `Compare ${ticked.size} chosen` : "Compare the chosen";
    },
  });
  const search = searching("Search name, world, agent, user, state", (q) => draw(setQuery({ q })), { value: query.get("q") });
  const chosen = filters({ columns: shown, names: ["state", "env", "agent", "data", "user", "variant"], groups: GROUPS, draw: (next) => draw(next) });
  const compare = el("button", { type: "button", disabled: true, title: `tick two to ${MOST} runs`,
    onclick: () => go(link.compareRuns([...table.ticked].map((href) => decodeURIComponent(href.split("/")[2])))) }, "Compare the chosen");
  const count = el("span", { class: "quiet", role: "status" });
  const empty = quiet();
  container.append(el("h1", {}, "Runs", folder ? faint(` in ${folder}`) : null,
    source.live ? el("a", { class: "aside", href: link.tables() }, "tables") : null),
    el("div", { class: "filters" }, search, chosen.nodes, count, compare), table.node, empty);

  function draw(next) {
    query = next;
    const found = holding(runs, shown, query.get("q")).filter((row) => chosen.matches(row, query));
    count.textContent = `${found.length} of ${plural(runs.length, "run")}`;
    empty.textContent = runs.length ? (found.length ? ""
      : "No run is like this; take a filter or words away.") : "There is no run here yet. `toolgym eval ToolRetail-v0 --agent rules` makes one.";
    chosen.show(runs, query);
    table.show(found, { sort: query.get("sort") || "-started", group: query.get("group"), columns: query.get("columns")?.split(",") });
  }
  draw(query);
  const stop = source.watch(null, null, (event) => {
    if (event.kind !== "runs") return;
    const before = new Map(runs.map((row) => [row.id, row])); // a row that is the same stays in the page, and with it the focus
    runs = event.runs.map((row) => (same(before.get(row.id), row) ? before.get(row.id) : row));
    draw(query);
  });
  return {
    shown: () => draw(query), dispose: stop,
    update: ({ query: next }) => { search.value = next.get("q") || ""; draw(next); },
    keys: { j: [() => table.move(1), "next run"], k: [() => table.move(-1), "previous run"] },
  };
}
