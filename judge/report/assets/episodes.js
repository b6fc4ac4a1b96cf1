// A run's episodes: a table of any length with columns to choose, filters and groups, all of them in the address.

import { duration, el, number, plural, scoreClass } from "toolgym/dom.js";
import { grid } from "toolgym/grid.js";
import { link, setQuery } from "toolgym/router.js";

const result = (row) => (row.passed === null ? "not scored" : row.passed ? (row.clean ? "clean pass" : "passed") : "failed");
const COLUMNS = [
  { name: "task", title: "task", width: 220, value: (row) => row.task },
  { name: "trial", title: "trial", width: 60, numeric: true, value: (row) => row.trial },
  { name: "result", title: "result", width: 100, value: result, draw: (row) => el("b", { class: row.passed === null ? "quiet" : row.passed ? "good" : "bad" }, result(row)) },
  { name: "family", title: "family", width: 120, value: (row) => row.family },
  { name: "difficulty", title: "difficulty", width: 90, value: (row) => row.difficulty },
  { name: "depth", title: "depth", width: 65, numeric: true, value: (row) => row.depth },
  { name: "ending", title: "ending", width: 100, value: (row) => row.ending.replaceAll("_", " ") },
  { name: "fault", title: "first failing call", width: 180, meaning: "the call of the first turn that was scored -1", value: (row) => row.fault },
  { name: "violation", title: "violations", width: 150, value: (row) => row.violations.join(", ").replaceAll("_", " "), keys: (row) => (row.violations.length ? row.violations.map((name) => name.replaceAll("_", " ")) : [""]) },
  { name: "scores", title: "turn scores", width: 120, value: (row) => (row.scores || []).reduce((sum, score) => sum + score, 0), draw: (row) => el("span", { class: "strip", role: "img", "aria-label": `turn scores ${(row.scores || []).join(" ")}` }, (row.scores || []).map((score) => el("i", { class: scoreClass(score) }))) },
  { name: "turns", title: "turns", width: 65, numeric: true, value: (row) => row.turns },
  { name: "calls", title: "calls", width: 65, numeric: true, value: (row) => row.calls },
  { name: "refused", title: "refused", width: 75, numeric: true, value: (row) => row.refused },
  { name: "seconds", title: "time", width: 75, numeric: true, value: (row) => row.seconds, draw: (row) => duration(row.seconds) },
  { name: "world", title: "world", width: 110, optional: true, value: (row) => row.world },
  { name: "structure", title: "structure", width: 90, optional: true, value: (row) => row.structure },
  { name: "rule", title: "rule", width: 160, optional: true, value: (row) => row.rule },
  { name: "reason", title: "why", width: 320, optional: true, meaning: "the judge's reason at the first turn that was scored -1", value: (row) => row.reason },
  { name: "tokens", title: "tokens", width: 80, numeric: true, optional: true, value: (row) => row.tokens },
  { name: "dollars", title: "cost", width: 80, numeric: true, optional: true, value: (row) => row.dollars, draw: (row) => `$${number(row.dollars, 4)}` },
];
const GROUPS = ["task", "family", "depth", "rule", "ending", "fault", "violation"];
const FILTERS = ["result", "family", "difficulty", "depth", "ending", "fault", "violation"];
const of = (name) => COLUMNS.find((column) => column.name === name);

export const title = (params) => params.run;

export async function render(container, params, source) {
  const [run, every] = await Promise.all([source.run(params.run), source.episodes(params.run)]);
  const rewards = [...new Set(every.slice(0, 50).flatMap((row) => Object.keys(row.rewards || {})))]
    .map((name) => ({ name: `reward.${name}`, title: `${name} reward`, width: 110, numeric: true, optional: true, value: (row) => (row.rewards || {})[name] ?? null, draw: (row) => number((row.rewards || {})[name], 2) }));
  const columns = [...COLUMNS, ...rewards];
  let query = params.query, found = null, asked = "";
  const table = grid({
    label: "Episodes", columns, href: (row) => link.episode(run.id, row.task, row.trial), change: ({ sort }) => draw(setQuery({ sort })),
    summary: (rows) => { const judged = rows.filter((row) => row.passed !== null); return `${judged.filter((row) => row.passed).length} of ${plural(rows.length, "episode")} passed`; },
  });
  const search = el("input", { type: "search", id: "search", "data-search": "", "aria-label": "Search tasks, messages, tools, reasons", placeholder: "Search tasks, messages, tools, reasons", value: query.get("q"), oninput: () => draw(setQuery({ q: search.value })) });
  const count = el("span", { class: "quiet", id: "count", role: "status" });
  const values = (name) => [...new Set(every.flatMap((row) => { const column = of(name); return column.keys ? column.keys(row) : [column.value(row)]; }).filter((value) => value !== null && value !== ""))].map(String).sort(new Intl.Collator("en", { numeric: true }).compare);
  const choices = FILTERS.map((name) => [name, values(name)]).filter(([, list]) => list.length > 1).map(([name, list]) =>
    el("select", { id: `filter-${name}`, "aria-label": of(name).title, onchange: (event) => draw(setQuery({ [name]: event.target.value })) }, el("option", { value: "" }, `any ${of(name).title}`), list.map((value) => el("option", { value, selected: query.get(name) === value }, value))));
  const group = el("select", { id: "group", "aria-label": "Group by", onchange: () => draw(setQuery({ group: group.value })) }, el("option", { value: "" }, "no groups"), GROUPS.map((name) => el("option", { value: name, selected: query.get("group") === name }, `by ${of(name).title}`)));
  const empty = el("p", { class: "quiet" });
  container.append(
    el("p", { class: "path" }, el("a", { href: link.runs() }, "runs"), " / "),
    el("h1", {}, run.name, el("a", { class: "aside", href: link.summary(run.id) }, "summary and plots")),
    el("div", { class: "filters" }, search, choices, group, chooser(), count), table.node, empty);

  function chooser() {
    const chosen = () => { const names = query.get("columns"); return names ? names.split(",") : columns.filter((column) => !column.optional).map((column) => column.name); };
    const change = (name, on) => { const now = chosen(); draw(setQuery({ columns: columns.map((column) => column.name).filter((each) => (each === name ? on : now.includes(each))).join(",") })); };
    return el("details", { class: "menu" }, el("summary", {}, "columns"), el("div", {}, columns.map((column) => el("label", {}, el("input", { type: "checkbox", checked: chosen().includes(column.name), onchange: (event) => change(column.name, event.target.checked) }), ` ${column.title}`))));
  }

  async function draw(next) {
    query = next;
    const words = (query.get("q") || "").trim();
    if (words && words !== asked) {
      asked = words;
      found = null;
      const answer = await source.find(run.id, words).catch(() => new Set());
      if (asked !== words) return;
      found = answer;
    } else if (!words) { asked = ""; found = null; }
    const rows = every.filter((row) => (!found || found.has(`${row.task}/${row.trial}`)) && FILTERS.every((name) => {
      const wanted = query.get(name), column = of(name);
      return !wanted || [column.keys ? column.keys(row) : column.value(row)].flat().map(String).includes(wanted);
    }));
    count.textContent = `${rows.length} of ${every.length}`;
    empty.textContent = rows.length ? "" : every.length ? "No episode is like this; take a filter away." : "No episode has ended yet.";
    table.show(rows, { sort: query.get("sort"), group: query.get("group"), columns: query.get("columns")?.split(",") });
  }
  const failed = (row) => row.passed === false;
  return {
    shown: () => draw(query),
    update: ({ query: next }) => {
      search.value = next.get("q") || "";
      group.value = next.get("group") || "";
      for (const choice of choices) choice.value = next.get(choice.id.slice("filter-".length)) || "";
      draw(next);
    },
    keys: { j: [() => table.move(1), "next episode"], k: [() => table.move(-1), "previous episode"], n: [() => table.move(1, failed), "next failure"], p: [() => table.move(-1, failed), "previous failure"], Enter: [() => table.open(), "open it"] },
  };
}
