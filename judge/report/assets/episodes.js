// A run's episodes: a table of any length with columns to choose, filters and groups, all of them in the address.

import { duration, el, known, moment, number, path, plural, problem, quiet, searching } from "toolgym/dom.js";
import { filters } from "toolgym/filters.js";
import { glance } from "toolgym/glance.js";
import { columnsOf, grid, grouped } from "toolgym/grid.js";
import { strip } from "toolgym/live.js";
import { link, setQuery } from "toolgym/router.js";
import { unpackRows } from "toolgym/source.js";

const result = (row) => (row.passed === null ? "not scored" : row.passed ? (row.clean ? "clean pass" : "passed") : "failed");
const COLUMNS = columnsOf([
  { name: "task", width: 195 }, { name: "trial", width: 60, numeric: true },
  { name: "result", width: 135, value: result, draw: (row) => el("b", { class: row.passed === null ? "quiet" : row.passed ? "good" : "bad" }, result(row)) },
  { name: "family", width: 130 }, { name: "difficulty", width: 90 }, { name: "depth", width: 65, numeric: true },
  { name: "ending", width: 100, value: (row) => row.ending.replaceAll("_", " ") },
  { name: "fault", title: "first failing call", width: 150, meaning: "the call of the first turn that was scored -1" },
  { name: "violation", title: "violations", width: 130, value: (row) => row.violations.join(", ").replaceAll("_", " "),
    keys: (row) => (row.violations.length ? row.violations.map((name) => name.replaceAll("_", " ")) : [""]) },
  { name: "scores", title: "turn scores", width: 120, value: (row) => (row.scores || []).reduce((sum, score) => sum + score, 0),
    draw: (row) => ticks(row.scores || []) },
  { name: "turns", width: 65, numeric: true }, { name: "calls", width: 65, numeric: true }, { name: "refused", width: 75, numeric: true },
  { name: "seconds", title: "time", width: 75, numeric: true, as: duration },
  { name: "world", width: 110, optional: true }, { name: "structure", width: 90, optional: true }, { name: "rule", width: 160, optional: true },
  { name: "reason", title: "why", width: 320, optional: true, meaning: "the judge's reason at the first turn that was scored -1" },
  { name: "tokens", width: 80, numeric: true, optional: true },
  { name: "dollars", title: "cost", width: 80, numeric: true, optional: true, as: (dollars) => `$${number(dollars, 4)}` },
]);

/** A run of small bars, one a score: one element with stripes, as a long table would have thousands of them. */
function ticks(scores) {
  const colour = { "1": "var(--good)", "0": "var(--mid)", "-1": "var(--bad)" };
  const share = 100 / scores.length; // of the whole, so that many scores are narrow and none is cut off
  const stripes = scores.map((score, place) =>
    `${colour[score]} ${share * place}% ${share * (place + .78)}%, transparent ${share * (place + .78)}% ${share * (place + 1)}%`);
  return el("span", { class: "ticks", role: "img", "aria-label": `turn scores ${scores.join(" ") || "none"}`, style: stripes.length
    ? `background: linear-gradient(to right, ${stripes.join(", ")}); width: min(100%, ${9 * scores.length}px)` : null });
}

const PAUSE = 250; // milliseconds after the last key before records are searched
const GROUPS = ["task", "family", "depth", "rule", "ending", "fault", "violation"];
const FILTERS = ["result", "family", "difficulty", "depth", "ending", "fault", "reason", "violation"];
const ORDER = { result: ["failed", "passed", "clean pass", "not scored"], difficulty: ["simple", "standard", "hard"] };
const of = (name) => COLUMNS.find((column) => column.name === name);

export const title = (params) => params.run;

export async function render(container, params, source) {
  const run = await source.run(params.run);
  const crumbs = source.listed ? [path(["runs", link.runs()])] : [];
  if (run.row.kind === "training") {
    container.append(...crumbs, el("h1", {}, run.name));
    return (await import("toolgym/training.js")).renderTraining(container, run, source);
  }
  let { rows: every, damaged, place } = await source.table(params.run);
  let query = params.query, failures = run.failures, seen = null, found = null, asked = "", unsearched = "", waiting = 0, typed = 0, asking = null,
    whole = new Map(), now = run.progress;
  const heading = el("div"), progress = strip(), columns = [...COLUMNS, ...rewardColumns(every)];
  const table = grid({
    label: "Episodes", columns, href: (row) => link.episode(run.id, row.task, row.trial), change: ({ sort }) => draw(setQuery({ sort })),
    summary: (rows, name) => { const all = whole.get(name);
      return `${all.filter((row) => row.passed).length} of ${plural(all.length, "episode")} passed${rows.length < all.length ? `; ${rows.length} shown` : ""}`;
      },
  });
  const search = searching("Search tasks, messages, tools, reasons", (q) => { clearTimeout(typed); typed = setTimeout(() => draw(setQuery({ q })), PAUSE); },
    { id: "search", value: query.get("q") });
  const count = el("span", { class: "quiet", id: "count", role: "status" }), empty = quiet();
  const chosen = filters({ columns, names: FILTERS, groups: Object.fromEntries(GROUPS.map((name) => [name, of(name).title])), order: ORDER,
    draw: (next) => draw(next) });
  const trouble = el("div"), overview = glance((row) => link.episode(run.id, row.task, row.trial));
  container.append(...crumbs, heading, progress.node, overview.node, el("div", { class: "filters" }, search, chosen.nodes, count), trouble, table.node, empty);
  head(run);

  function head(now) {
    const notes = now.row.problem ? [now.row.problem] : damaged;
    heading.replaceChildren(el("h1", {}, now.name, now.summary ? el("a", { class: "aside", href: link.summary(now.id) }, "summary and plots") : null,
      source.writable ? el("a", { class: "aside", href: link.annotate(now.id) }, "annotate") : null), facts(now.row, now.settings),
      notes.length ? problem(`${notes.slice(0, 3).join(" ")}${notes.length > 3 ? ` ${notes.length - 3} more lines cannot be read.` : ""}`) : "");
    progress.show(now.progress);
  }

  async function draw(next = query) {
    query = next;
    const words = (query.get("q") || "").trim();
    if (!words) { found = null; asking?.abort(); }
    else if (words !== asked) {
      asked = words;
      unsearched = "";
      asking?.abort();
      const { signal } = (asking = new AbortController());
      const answer = await source.find(run.id, words, signal).catch((error) => { if (!signal.aborted) unsearched = error.message; return new Set(); });
      if (signal.aborted || asked !== words) return; // another search was begun meanwhile
      found = answer;
    }
    asked = words;
    const rows = every.filter((row) => (!found || found.has(`${row.task}/${row.trial}`)) && chosen.matches(row, query));
    count.textContent = `${rows.length} of ${every.length}`;
    trouble.replaceChildren(words && unsearched ? problem(`The records could not be searched: ${unsearched}`) : "");
    empty.textContent = rows.length || (words && unsearched) ? "" : every.length ? "No episode is like this; take a filter away." : "No episode has ended yet.";
    chosen.show(every, query);
    if (seen !== every) overview.show(seen = every, failures);
    whole = query.get("group") && of(query.get("group")) ? grouped(every, of(query.get("group"))) : new Map();
    // a heading counts the whole group, whatever is filtered
    table.show(rows, { sort: query.get("sort"), group: query.get("group"), columns: query.get("columns")?.split(",") });
  }

  const later = () => { waiting ||= setTimeout(() => { waiting = 0; draw(); }, 200); };
  function add(rows) {
    const at = new Map(every.map((row, position) => [`${row.task}/${row.trial}`, position]));
    every = [...every];
    for (const row of rows) {
      const position = at.get(`${row.task}/${row.trial}`);
      if (position === undefined) every.push(row); else every[position] = row;
    }
    later();
  }
  async function anew() {
    const [now, table] = await Promise.all([source.run(run.id), source.table(run.id)]);
    ({ rows: every, damaged } = table);
    failures = now.failures;
    asked = "";
    head(now);
    later();
  }
  const stop = source.watch(run.id, place, (event) => {
    if (event.kind === "rows") add(unpackRows(event));
    if (event.kind === "anew") anew().catch(() => {});
    if (event.kind === "progress") {
      const over = now && now.live !== event.live; // a run that has ended has a summary
      progress.show(now = event);
      if (over) anew().catch(() => {});
    }
    if (event.kind === "gone") heading.replaceChildren(el("h1", {}, run.name),
      problem(`The run ${run.name} is no longer there; what was read of it is still shown.`));
  });
  const failed = (row) => row.passed === false;
  return {
    shown: () => draw(), dispose: () => { stop(); clearTimeout(typed); asking?.abort(); },
    update: ({ query: next }) => { clearTimeout(typed); search.value = next.get("q") || ""; draw(next); },
    keys: { j: [() => table.move(1), "next episode"], k: [() => table.move(-1), "previous episode"], n: [() => table.move(1, failed), "next failure"],
      p: [() => table.move(-1, failed), "previous failure"] },
  };
}

/** A run in a line or two: what it came to, and what was played by whom. */
function facts(row, settings) {
  const spread = known(row.low) ? ` (95 % ${number(row.low, 2)} to ${number(row.high, 2)})` : "";
  const came = [row.state, known(row.clean) && `clean pass ${number(row.clean)}`, known(row.pass) && `pass^1 ${number(row.pass)}${spread}`,
    known(row.inert) && `doing nothing ${number(row.inert)}`, known(row.reckless) && `guessing ${number(row.reckless)}`];
  const played = [row.agent && `${row.agent} agent`, row.model, row.user && `${row.user} user`, row.env, row.data && `${row.data} data`,
    row.split && `${row.split} split`, settings.trials && plural(settings.trials, "trial"), settings.seed !== undefined && `seed ${settings.seed}`,
    row.toolgym && `toolgym ${row.toolgym}`, row.started && `started ${moment(row.started)}, ${row.state === "live" ? "for" : "took"} ${duration(row.wall)}`];
  return el("p", { class: "quiet facts" }, came.filter(Boolean).join(", "), el("br"), played.filter(Boolean).join(", "));
}

function rewardColumns(rows) {
  const names = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row.rewards || {})))];
  return columnsOf(names.map((name) => ({ name: `reward.${name}`, title: `${name} reward`, width: 110, numeric: true, optional: true,
    value: (row) => row.rewards[name] ?? null, as: (reward) => number(reward, 2) })));
}
