// A table of any length: sorted, grouped, with columns to choose; only the rows in sight are in the page.

import { anchor, announce, el, faint } from "toolgym/dom.js";

const HEIGHT = 34; // pixels of a row: style.css has the same in .grid tr
const SPARE = 6; // rows drawn beyond either edge, so that a short scroll shows no gap

/** Columns in full: one shows what its row has under its name, as `as` writes it, unless it has a `value` or `draw` of its own. */
export const columnsOf = (columns) => columns.map(({ value, draw, as, ...column }) => {
  const own = value || ((row) => row[column.name]);
  return { title: column.name, ...column, value: own, draw: draw || (as && ((row) => as(own(row)))) };
});

/** The rows that hold all words in what their columns say. */
export function holding(rows, columns, words) {
  const wanted = (words || "").toLowerCase().split(/\s+/);
  const textOf = (row) => columns.map((column) => column.value(row)).join(" ").toLowerCase();
  return rows.filter((row) => { const text = textOf(row); return wanted.every((word) => text.includes(word)); });
}

/**
 * @param {object} options
 *   label     what the table holds, for a screen reader
 *   columns   [{ name, title, width, numeric?, value(row), draw?(row), meaning? }]; `value` is what is sorted by
 *   href      the address of a row; null where it leads nowhere
 *   summary   (rows, name) -> text for the heading of a group
 *   change    ({ sort }) called when a heading is clicked
 *   select    true where rows can be ticked; `ticked` holds their addresses
 * @returns {{ node, show(rows, { sort, group, columns }), move(step, wanted?), ticked }}
 */
export function grid({ label, columns, href, summary = () => "", change = () => {}, select = false, tick = () => {} }) {
  const head = el("thead"), body = el("tbody"), sizes = el("colgroup");
  const table = el("table", { "aria-label": label }, sizes, head, body);
  const node = el("div", { class: "grid", tabindex: "0", role: "region", "aria-label": `${label}, scrolls` }, table);
  const above = el("tr", { class: "space", "aria-hidden": "true" }, el("td")), below = above.cloneNode(true);
  const drawn = new Map(), folded = new Set(), ticked = new Set();
  let lines = [], shown = columns, state = {}, cursor = -1, queued = false, all = [], drawnAs = "";

  function show(rows, next) {
    all = rows;
    state = next;
    const order = (state.columns || []).map((name) => columns.find((column) => column.name === name)).filter(Boolean);
    shown = order.length ? order : columns.filter((column) => !column.optional);
    lines = arrange(rows);
    cursor = Math.min(cursor, lines.length - 1);
    heading();
    table.setAttribute("aria-rowcount", lines.length + 1);
    keep(`${shown.map((column) => column.name)}`);
    draw();
  }

  /** Rows in sight that are still in their place stay in the page, with the focus and the pointer over them. */
  function keep(layout) {
    for (const [place, row] of drawn) {
      const line = lines[place];
      if (layout === drawnAs && line && line.row && row.source === line.row) continue;
      row.remove();
      drawn.delete(place);
    }
    drawnAs = layout;
    if (above.parentNode !== body) body.replaceChildren(above, below);
  }

  function arrange(rows) {
    const by = state.sort && columns.find((column) => column.name === state.sort.replace(/^-/, ""));
    const sorted = by ? sortBy(rows, by.value, state.sort.startsWith("-")) : rows;
    const group = state.group && columns.find((column) => column.name === state.group);
    if (!group) return sorted.map((row) => ({ row }));
    const parts = grouped(sorted, group);
    const names = sortBy([...parts.keys()], (name) => name);
    return names.flatMap((name) => [{ name, rows: parts.get(name) }, ...(folded.has(name) ? [] : parts.get(name).map((row) => ({ row })))]);
  }

  function heading() {
    sizes.replaceChildren(...(select ? [el("col", { style: "width: 34px" })] : []), ...shown.map((column) => el("col", { style: `width: ${column.width}px` })));
    table.style.minWidth = `${shown.reduce((sum, column) => sum + column.width, select ? 34 : 0)}px`;
    head.replaceChildren(el("tr", { "aria-rowindex": 1 }, select ? el("th", { scope: "col" }, el("span", { class: "unseen" }, "chosen")) : null,
      shown.map((column) => {
      const here = (state.sort || "").replace(/^-/, "") === column.name, down = (state.sort || "").startsWith("-");
      return el("th", { scope: "col", class: column.numeric ? "n" : null, "aria-sort": here ? (down ? "descending" : "ascending") : null },
        el("button", { type: "button", title: column.meaning || `sort by ${column.title}`,
          onclick: () => change({ sort: here ? (down ? null : `-${column.name}`) : column.numeric ? `-${column.name}` : column.name }) },
          column.title, here ? el("span", { "aria-hidden": "true" }, down ? " ↓" : " ↑") : null));
    })));
  }

  function draw(whole = false) {
    queued = false;
    const height = node.clientHeight || 600, from = whole ? 0 : Math.max(0, Math.floor(node.scrollTop / HEIGHT) - SPARE);
    const to = whole ? lines.length : Math.min(lines.length, Math.ceil((node.scrollTop + height) / HEIGHT) + SPARE);
    for (const [place, row] of drawn) if (place < from || place >= to) { row.remove(); drawn.delete(place); }
    let after = below;
    for (let place = to - 1; place >= from; place--) {
      if (!drawn.has(place)) { drawn.set(place, line(place)); body.insertBefore(drawn.get(place), after); }
      after = drawn.get(place);
    }
    above.firstChild.style.height = `${from * HEIGHT}px`;
    below.firstChild.style.height = `${(lines.length - to) * HEIGHT}px`;
  }

  function line(place) {
    const { row, name, rows } = lines[place], index = place + 2, here = place === cursor ? "true" : null;
    if (rows) return el("tr", { class: "group", "aria-rowindex": index, "aria-current": here },
      el("th", { colspan: shown.length + (select ? 1 : 0), scope: "rowgroup" },
      el("button", { type: "button", "aria-expanded": String(!folded.has(name)), onclick: () => fold(name) },
        el("span", { "aria-hidden": "true" }, folded.has(name) ? "▸ " : "▾ "), name, faint(` ${summary(rows, name)}`))));
    const to = href(row);
    const box = select ? el("td", {}, el("input", { type: "checkbox", "aria-label": `choose ${shown[0].value(row)}`, checked: ticked.has(to),
      onchange: (event) => { ticked[event.target.checked ? "add" : "delete"](to); tick(ticked); } })) : null;
    const made = el("tr", { "aria-rowindex": index, "aria-current": here,
      onclick: (event) => { if (to && !event.target.closest("a, input, button") && !String(getSelection())) location.hash = to; } }, box,
      shown.map((column, position) => {
        const value = column.draw ? column.draw(row) : column.value(row), text = value === null || value === undefined ? "–" : value;
        return el("td", { class: column.numeric ? "n" : null, title: typeof text === "string" && text.length > 18 ? text : null }, position === 0 && to
          ? anchor(text, to) : text);
      }));
    made.source = row;
    return made;
  }

  function fold(name) {
    folded[folded.has(name) ? "delete" : "add"](name);
    const top = node.scrollTop;
    show(all, state);
    node.scrollTop = top;
    draw();
    [...body.querySelectorAll(".group button")].find((button) => button.textContent.slice(2).startsWith(name))?.focus();
  }

  /** Move the cursor by a step, to the next row that is wanted; the row's link is focused. */
  function move(step, wanted = () => true) {
    for (let place = cursor + step; place >= 0 && place < lines.length; place += step) {
      if (lines[place].rows || !wanted(lines[place].row)) continue;
      return put(place);
    }
    announce(step > 0 ? "That was the last one" : "That was the first one");
  }

  function put(place) {
    drawn.get(cursor)?.removeAttribute("aria-current");
    cursor = place;
    const top = place * HEIGHT, room = node.clientHeight - 2 * HEIGHT;
    if (top < node.scrollTop) node.scrollTop = top;
    else if (top > node.scrollTop + room) node.scrollTop = top - room;
    draw();
    drawn.get(place)?.setAttribute("aria-current", "true");
    drawn.get(place)?.querySelector("a")?.focus({ preventScroll: true });
  }

  node.addEventListener("scroll", () => { if (!queued) { queued = true; requestAnimationFrame(() => draw()); } }, { passive: true });
  const sized = new ResizeObserver(() => draw());
  sized.observe(node);
  const onPaper = () => { if (!node.isConnected) return void removeEventListener("beforeprint", onPaper); sized.disconnect(); draw(true); };
  addEventListener("beforeprint", onPaper);
  addEventListener("afterprint", () => { if (node.isConnected) sized.observe(node); });
  return { node, show, move, ticked };
}

/** Rows by what a column says of them; a row may be in several groups. */
export function grouped(rows, column) {
  const parts = new Map();
  for (const row of rows) for (const key of [column.keys ? column.keys(row) : column.value(row)].flat()) {
    const name = key === null || key === undefined || key === "" ? "none" : String(key);
    if (!parts.has(name)) parts.set(name, []);
    parts.get(name).push(row);
  }
  return parts;
}

/** A sorted copy: figures by size, text by its numbers and letters, what is missing last either way. */
export function sortBy(rows, value, down = false) {
  const letters = new Intl.Collator("en", { numeric: true });
  const missing = (each) => each === null || each === undefined || each === "" || Number.isNaN(each);
  const keyed = rows.map((row) => [value(row), row]);
  keyed.sort(([a], [b]) => {
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    const found = typeof a === "string" || typeof b === "string" ? letters.compare(a, b) : a - b;
    return down ? -found : found;
  });
  return keyed.map(([, row]) => row);
}
