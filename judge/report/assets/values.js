// How values, rows and cells of a database are written.

import { el, scrolling } from "toolgym/dom.js";

export const DEEDS = { inserted: "a new row", deleted: "deleted", updated: "" };
export const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
export const placeOf = (table, key) => JSON.stringify([table, key]);
export const keyOf = (key) => key.join(", ");

/** A value as text; what is empty is a dash that a screen reader can say. */
export function value(given) {
  if (given === null || given === undefined) return el("span", { class: "quiet", "aria-label": "empty" }, "–");
  return typeof given === "object" ? JSON.stringify(given) : String(given);
}

/** A column's name, which breaks after an underscore and nowhere else. */
export const columnName = (name) => String(name).split(/(?<=_)/).flatMap((part) => [el("wbr"), part]).slice(1);

/** Rows that were changed, before and after. */
export function changedRows(caption, rows) {
  return rowTable(caption, ["column", "before", "after"], rows.map(({ table, key, deed, cells }) => ({
    name: `${table} ${keyOf(key)}`, notes: DEEDS[deed] ? el("span", { class: `tag ${deed === "deleted" ? "bad" : "good"}` }, DEEDS[deed]) : null,
    cells: cells.map((values) => ({ values, names: [null, "before", "after"] })),
  })));
}

/** Rows in sections: a heading for each row, and a line for each of its cells, with as many values as there are headings. */
export function rowTable(caption, headings, sections) {
  const wide = headings.length;
  return scrolling(caption, el("table", { class: "rows" }, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, headings.map((heading) => el("th", { scope: "col" }, heading)))),
    sections.map(({ name, notes, cells, mark }) => el("tbody", { class: mark || null },
      el("tr", { class: "rowname" }, el("th", { colspan: wide, scope: "rowgroup" }, name, notes || [])),
      cells.map(({ values, mark: stands, names }) => el("tr", { class: stands || null }, values.slice(0, wide).map((each, place) =>
        el(place ? "td" : "th", { scope: place ? null : "row", class: (names || [])[place] || null }, place ? value(each) : columnName(each)))))))));
}
