// The Database tab: what the selected call did, what the gold call does, and every row that differs after it.

import { code, el, faint, plural, quiet, tag } from "toolgym/dom.js";
import { written } from "toolgym/conversation.js";
import { DEEDS, changedRows, keyOf, placeOf, rowTable, same } from "toolgym/values.js";

const STANDS = { same: ["good", "as it should be"], missing: ["bad", "missing"], extra: ["bad", "extra"], wrong: ["bad", "wrong"] };

/** The rows that differ from the start after the first `calls` calls: the changes of each, one upon the other. */
export function folded(talk, calls) {
  const rows = new Map();
  for (const call of talk.calls.slice(0, calls)) {
    for (const row of call.changes || []) {
      const place = placeOf(row.table, row.key), known = rows.get(place) || { table: row.table, key: row.key, cells: new Map(), before: row.deed === "inserted"
        ? null : row.key };
      for (const [column, before, after] of row.cells) known.cells.set(column, [known.cells.has(column) ? known.cells.get(column)[0] : before, after]);
      known.deed = row.deed === "deleted" ? "deleted" : known.before === null ? "inserted" : "updated";
      rows.set(place, known);
    }
  }
  return [...rows.values()].map((row) => ({ ...row, cells: [...row.cells].filter(([, [before, after]]) => !same(before, after)) })).filter((row) =>
    row.cells.length);
}

/** The gold call that a call stands for: the same one, or else the first of the same tool. */
function counterpart(talk, number) {
  const call = talk.calls[number], alike = talk.gold.findIndex((gold) => gold.canonical === call.canonical);
  return alike >= 0 ? alike : talk.gold.findIndex((gold) => gold.name === call.name);
}

/** What a call changed beside what its gold call changes; gold's new rows stand beside those that are most like them. */
function beside(caption, changes, gold, end) {
  const mine = new Map((end || []).filter((row) => row.key.length && row.gold_key.length).map((row) => [placeOf(row.table, row.gold_key), row.key]));
  const due = new Map((gold || []).map((row) => [placeOf(row.table, mine.get(placeOf(row.table, row.key)) || row.key), row]));
  const lines = (row, wanted) => {
    const found = new Map((wanted?.cells || []).map(([column, before, after]) => [column, [before, after]]));
    const cells = (row?.cells || []).map(([column, before, after]) => {
      const right = gold === null ? undefined : found.has(column) ? found.get(column)[1] : before;
      found.delete(column);
      const id = row.deed === "inserted" && wanted && row.key.some((part) => same(part, after));
      return { values: [column, before, after, right], names: [null, "before", gold === null ? "after" : same(after, right) || id ? "after good" : "after bad",
        "gold"] };
    });
    for (const [column, [before, after]] of found) cells.push({ values: [column, before, row ? before : null, after],
      names: [null, "before", "after bad", "gold"] });
    return cells;
  };
  const sections = changes.map((row) => {
    const place = placeOf(row.table, row.key), wanted = due.get(place);
    due.delete(place);
    return { name: `${row.table} ${keyOf(row.key)}`, notes: [tag(DEEDS[row.deed], row.deed === "deleted" ? "bad" : "quiet"), gold !== null && !wanted
      ? tag("the gold call leaves it alone", "bad") : null], cells: lines(row, wanted) };
  });
  for (const row of due.values()) sections.push({ name: `${row.table} ${keyOf(row.key)}`,
    notes: [tag(DEEDS[row.deed], "quiet"), tag("only the gold call changes it", "bad")], cells: lines(null, row) });
  return rowTable(caption, ["column", "before", "after", ...(gold === null ? [] : ["gold's"])], sections);
}

function ofCall(talk, number) {
  const call = talk.calls[number], place = counterpart(talk, number), gold = place < 0 ? null : talk.gold[place];
  const due = gold?.changes ?? (talk.gold_missing ? null : []);
  const did = call.changes === null ? el("p", {}, "This call could not be made again, so that its rows are not known.")
    : call.changes.length || due?.length ? beside(`What call ${number} changed`, call.changes, due, talk.end)
      : el("p", {}, call.error !== null ? `Call ${number} was refused (${call.error}) and changed no row: ${call.message}`
        : `Call ${number} changed no row${gold ? ", and the gold call changes none" : ""}.`);
  const alike = gold !== null && gold.canonical === call.canonical;
  return el("section", { class: "ofcall" }, el("h3", {}, `Call ${number}`),
    code(written(call), " ", tag(call.error !== null && `refused: ${call.error}`, "bad")),
    gold === null ? quiet("No gold call is of this tool.") : code(faint(`gold call ${place}: `), written(gold), " ",
      tag(alike ? "the same call" : "other arguments", alike ? "good" : "bad")), did);
}

/** The state after some calls, beside the right end. */
function state(talk, calls, picked) {
  const rows = folded(talk, calls), touched = new Set();
  if (picked !== null) for (const row of talk.calls[picked].changes || []) for (const [column] of row.cells) touched.add(placeOf(row.table,
    [...row.key, column]));
  const right = new Map((talk.end || []).map((row) => [placeOf(row.table, row.key.length ? row.key : row.gold_key), row]));
  const final = calls === talk.calls.length, sections = [];
  for (const row of rows) {
    const end = right.get(placeOf(row.table, row.key)), goldOf = new Map((end?.cells || []).map((cell) => [cell.column, cell]));
    right.delete(placeOf(row.table, row.key));
    const cells = row.cells.map(([column, [before, after]]) => {
      const cell = goldOf.get(column), gold = cell ? cell.gold : before;
      goldOf.delete(column);
      const good = cell ? (cell.standing !== "wrong" && same(after, cell.mine)) || same(after, gold) : end?.standing === "same" && final;
      return { values: [column, before, after, cell?.standing === "open" ? "left open" : gold], mark: touched.has(placeOf(row.table, [...row.key, column]))
        ? "touched" : null, names: [null, "before", talk.end === null ? "after" : good ? "after good" : "after bad", "gold"] };
    });
    for (const cell of goldOf.values()) if (!same(cell.before, cell.gold)) cells.push({ values: [cell.column, cell.before, cell.before, cell.gold],
      names: [null, "before", "after mid", "gold"] });
    const [mark, words] = !end ? (talk.end === null ? ["", ""] : ["mid", "is undone later"]) : final ? STANDS[end.standing] : ["", end.standing === "extra"
      ? "no right run touches it" : ""];
    sections.push({ name: `${row.table} ${keyOf(row.key)}`, notes: [tag(DEEDS[row.deed], "quiet"), tag(words, mark), end && end.gold_key.length &&
      !same(end.key, end.gold_key) ? tag(`gold's has the id ${keyOf(end.gold_key)}`, "quiet") : null], cells });
  }
  for (const row of right.values()) {
    if (!row.due) continue;
    sections.push({ name: `${row.table} ${keyOf(row.gold_key)}`, mark: "due",
      notes: [tag(DEEDS[row.due], "quiet"), tag(final ? "missing" : "still due", final ? "bad" : "mid")],
      cells: row.cells.map((cell) => ({ values: [cell.column, cell.before, row.due === "inserted" ? null : cell.before, cell.gold],
        names: [null, "before", final ? "after bad" : "after mid", "gold"] })) });
  }
  const caption = final && picked === null ? "At the end" : calls ? `After call ${calls - 1}` : "Before the first call";
  if (!sections.length) return el("p", {}, `${caption} no row differs from the start${talk.end === null ? "." : ", and none has to."}`);
  return rowTable(`${caption}: rows that differ from the start`, ["column", "at the start", "now", ...(talk.end === null ? [] : ["gold's end"])], sections);
}

function tally(talk) {
  if (talk.end === null) return null;
  const count = (standing) => talk.end.filter((row) => row.standing === standing).length;
  const words = ["same", "missing", "extra", "wrong"].map((standing) => [standing, count(standing)]).filter(([, number]) => number);
  return el("p", { class: "tally" }, words.length ? words.map(([standing, number]) => tag(`${plural(number, "row")} ${STANDS[standing][1]}`,
    STANDS[standing][0])) : "Neither this run nor gold's changes a row.");
}

/** Why what is shown may not be all. */
function notes(talk) {
  const said = [];
  if (talk.database.stopped) said.push(`The calls could not all be made again: ${talk.database.stopped}`);
  if (talk.database.unlike) said.push(`${plural(talk.database.unlike, "call")} come to something else in the present version of the world; `
    + `the rows are those of today.`);
  if (!talk.database.stopped && !talk.database.as_recorded) said.push("The calls made again do not leave the rows that were recorded.");
  if (talk.gold_missing) said.push(`What a right run changes is not known here: ${talk.gold_missing}`);
  return said.map((text) => el("p", { class: "note" }, text));
}

/** The rows that an id names, as they are at the end. */
const named = (talk, id) => rowTable(`${id} at the end`, ["column", "value"], talk.rows.filter(({ key }) => String(key[0]) === id).map(({ table, cells }) =>
  ({ name: `${table} ${id}`, cells: Object.entries(cells).map((values) => ({ values })) })));

/** The tab for a call, or for the end where none is selected; on top the rows that an id names. */
export function database(talk, call, id = null) {
  const box = el("div", {}, id === null ? null : named(talk, id), notes(talk));
  if (talk.database.stopped && !talk.calls.some((each) => each.changes)) {
    box.append(talk.made.length ? changedRows("Rows that differ at the end, as recorded", talk.made) : el("p", {}, "No changed row was recorded."));
    return box;
  }
  box.append(...[call === null ? tally(talk) : call >= 0 ? ofCall(talk, call) : null].filter(Boolean),
    state(talk, call === null ? talk.calls.length : call + 1, call === null || call < 0 ? null : call));
  return box;
}
