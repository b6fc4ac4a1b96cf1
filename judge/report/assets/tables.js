// Tables that other commands wrote into the folder (#/tables), and one of them (#/table/ID?sort=&q=) with its picture.

import { el, moment, number, plural, table as small } from "toolgym/dom.js";
import { grid } from "toolgym/grid.js";
import { barPlot, depthPlot } from "toolgym/plots.js";
import { link, setQuery } from "toolgym/router.js";

export async function render(container, params, source) {
  return params.table === undefined ? list(container, source) : one(container, params, source);
}

async function list(container, source) {
  const { tables } = await source.ask("/tables");
  container.append(el("p", { class: "path" }, el("a", { href: link.runs() }, "runs"), " / "), el("h1", {}, "Tables"), tables.length
    ? small(["table", "of", "worlds", "changed"], tables.map((each) => [el("a", { href: link.table(each.id) }, each.title), each.id.includes(".json") ? each.id
      : "all runs that have it", each.worlds.join(", ") || "–", moment(each.changed)]))
    : el("p", {}, "There is no table in this folder. ", el("code", {}, "toolgym redteam retail --out runs/redteam"), ", ",
      el("code", {}, "toolgym users audit RUN RUN --out runs/users"), " and ", el("code", {}, "toolgym eval --perturb"), " write some."));
  return {};
}

async function one(container, params, source) {
  const found = await source.ask("/table", { id: params.table });
  let query = params.query;
  const columns = found.columns.map((column) => ({ ...column, value: (row) => first(row[column.name]), draw: (row) => cell(row[column.name]) }));
  const rows = grid({ label: found.title, columns, href: (row) => (row.run ? link.summary(row.run) : null), change: ({ sort }) => draw(setQuery({ sort })) });
  const search = el("input", { type: "search", "data-search": "", "aria-label": "Search rows", placeholder: "Search rows", value: query.get("q"),
    oninput: () => draw(setQuery({ q: search.value })) });
  const count = el("span", { class: "quiet", id: "count", role: "status" });
  container.append(el("p", { class: "path" }, el("a", { href: link.tables() }, "tables"), " / "),
    el("h1", {}, found.title, el("span", { class: "quiet" }, ` ${found.id.includes(".json") ? found.id : ""}`)), el("p", { class: "quiet" }, found.meaning),
    el("div", { class: "filters" }, search, count), rows.node, el("div", { class: "plots" }, found.pictures.map(picture)));

  function draw(next) {
    query = next;
    const words = (query.get("q") || "").toLowerCase().split(/\s+/);
    const wanted = found.rows.filter((row) => { const text = columns.map((column) => column.value(row) ?? "").join(" ").toLowerCase();
      return words.every((word) => text.includes(word)); });
    count.textContent = `${wanted.length} of ${plural(found.rows.length, "row")}`;
    rows.show(wanted, { sort: query.get("sort") });
  }
  return { shown: () => draw(query), update: ({ query: next }) => { search.value = next.get("q") || ""; draw(next); },
    keys: { j: [() => rows.move(1), "next row"], k: [() => rows.move(-1), "previous row"] } };
}

const first = (value) => (Array.isArray(value) ? value[0] : value);

function cell(value) {
  if (Array.isArray(value)) return `${written(value[0])} (${written(value[1])} to ${written(value[2])})`;
  return typeof value === "number" ? written(value) : value;
}

const written = (value) => (Number.isInteger(value) && Math.abs(value) > 1 ? String(value) : number(value, Math.abs(value) >= 10 ? 1 : 2));

function picture(given) {
  return given.kind === "depth" ? depthPlot(given.runs) : barPlot(given.caption, given.groups, given.names.filter(Boolean));
}
