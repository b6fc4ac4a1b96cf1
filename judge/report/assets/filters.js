// What a table shows: filters, groups and columns, chosen above it and kept in the address.

import { el, options } from "toolgym/dom.js";
import { setQuery } from "toolgym/router.js";

/**
 * @param {object} options
 *   columns   those of the grid; `keys(row)` gives several values where a row has them
 *   names     of the columns that are filtered by
 *   groups    of those that are grouped by, with their words: { name: words }
 *   order     by column, values that stand first
 *   draw      (query) called when something is chosen
 * @returns {{ nodes, show(rows, query), matches(row, query) }}
 */
export function filters({ columns, names, groups, order = {}, draw }) {
  const of = (name) => columns.find((column) => column.name === name);
  const choose = (values) => draw(setQuery(values));
  const selects = names.map((name) => el("select", {
    id: `filter-${name}`, "aria-label": of(name).title, onchange: (event) => choose({ [name]: event.target.value }),
  }));
  const group = el("select", { id: "group", "aria-label": "Group by", onchange: () => choose({ group: group.value }) },
    options([["", "no groups"], ...Object.entries(groups).map(([name, words]) => [name, `by ${words}`])]));
  const boxes = columns.map((column) => el("input", { type: "checkbox", value: column.name, onchange: () =>
    choose({ columns: boxes.filter((box) => box.checked).map((box) => box.value).join(",") }) }));
  const chooser = el("details", { class: "menu" }, el("summary", {}, "columns"),
    el("div", {}, columns.map((column, place) => el("label", {}, boxes[place], ` ${column.title}`))));
  const fold = el("div", { class: "fold", id: "filters" }, selects, group, chooser);
  const unfold = el("button", { type: "button", class: "unfold", "aria-controls": "filters", "aria-expanded": "false",
    onclick: () => unfold.setAttribute("aria-expanded", String(fold.classList.toggle("open"))) }, "filters");

  /** Offer the values that the rows have; a filter with one value is not shown, unless it is set. */
  function show(rows, query) {
    names.forEach((name, place) => {
      const values = valuesOf(rows, of(name), order[name] || []), select = selects[place], set = query.get(name) || "";
      if (set && !values.includes(set)) values.push(set);
      select.hidden = values.length < 2 && !set;
      if ([...select.options].slice(1).map((each) => each.value).join("\n") !== values.join("\n"))
        select.replaceChildren(...options([["", `any ${of(name).title}`], ...values.map((value) => [value, value])]));
      select.value = set;
    });
    group.value = query.get("group") || "";
    const chosen = query.get("columns")?.split(",");
    columns.forEach((column, place) => { boxes[place].checked = chosen ? chosen.includes(column.name) : !column.optional; });
    const set = [...names, "group"].filter((name) => query.get(name)).length;
    unfold.textContent = set ? `filters (${set} set)` : "filters";
  }
  const matches = (row, query) => names.every((name) => !query.get(name) || keysOf(of(name), row).includes(query.get(name)));
  return { nodes: [unfold, fold], show, matches };
}

const keysOf = (column, row) => (column.keys ? column.keys(row) : [String(column.value(row) ?? "")]);

function valuesOf(rows, column, order) {
  const found = [...new Set(rows.flatMap((row) => keysOf(column, row)))].filter(Boolean);
  const sorted = found.sort(new Intl.Collator("en", { numeric: true }).compare);
  return [...order.filter((value) => sorted.includes(value)), ...sorted.filter((value) => !order.includes(value))];
}
