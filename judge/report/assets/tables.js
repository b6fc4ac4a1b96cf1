// Tables that other commands wrote into the folder (#/tables), and one of them (#/table/ID?sort=&q=) with its picture.

import { anchor, el, faint, moment, number, path, plural, quiet, searching, table as small } from "toolgym/dom.js";
import { grid, holding } from "toolgym/grid.js";
import { barPlot, depthPlot } from "toolgym/plots.js";
import { link, setQuery } from "toolgym/router.js";

export async function render(container, params, source) {
  return params.table === undefined ? list(container, source) : one(container, params, source);
}

async function list(container, source) {
  const { tables } = await source.ask("/tables");
  container.append(path(["runs", link.runs()]), el("h1", {}, "Tables"), tables.length
    ? small(["table", "of", "worlds", "changed"], tables.map((each) => [anchor(each.title, link.table(each.id)), each.id.includes(".json") ? each.id
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
  const search = searching("Search rows", (q) => draw(setQuery({ q })), { value: query.get("q") });
  const count = el("span", { class: "quiet", id: "count", role: "status" });
  const from = faint(` ${found.id.includes(".json") ? found.id : ""}`);
  container.append(path(["tables", link.tables()]), el("h1", {}, found.title, from), quiet(found.meaning), el("div", { class: "filters" }, search, count),
    rows.node, el("div", { class: "plots" }, found.pictures.map(picture)));

  function draw(next) {
    query = next;
    const wanted = holding(found.rows, columns, query.get("q"));
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
