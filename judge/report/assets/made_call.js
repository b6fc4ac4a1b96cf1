// A call that was made: what was asked, what came of it, and the rows that it changed.

import { pretty, written } from "toolgym/conversation.js";
import { el } from "toolgym/dom.js";
import { keyOf, rowTable } from "toolgym/values.js";

/** `call` is { name, arguments, ok, error, text, changes }; its result is folded unless `open`. */
export function madeCall(call, number, open, ...notes) {
  return el("div", { class: `call${call.ok ? "" : " refused"}` }, el("p", { class: "code" }, `${number} ${written(call)}`),
    call.ok ? null : el("span", { class: "tag bad" }, `refused: ${call.error}`), notes,
    el("details", { open }, el("summary", {}, "result"), el("pre", { tabindex: "0" }, pretty(call.text))),
    call.changes.length ? rowTable("Rows that it changed", ["column", "before", "after"],
      call.changes.map((row) => ({ name: `${row.table} ${keyOf(row.key)}`, cells: row.cells.map((values) => ({ values })) }))) : null);
}
