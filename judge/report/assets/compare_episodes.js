// Two to four episodes of one task beside one another, aligned on their calls; the first difference is marked.

import { anchor, el, faint, form, number, options, path, plural, problem, quiet, saving, scrolling, table, tag } from "toolgym/dom.js";
import { written } from "toolgym/conversation.js";
import { result } from "toolgym/episode.js";
import { go, link } from "toolgym/router.js";
import { keyOf, placeOf, same, value } from "toolgym/values.js";

const MOST = 4;

/** Where two lists of calls agree: pairs of places, as many as there can be (longest common subsequence). */
function agreeing(one, other) {
  const long = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let a = one.length - 1; a >= 0; a--)
    for (let b = other.length - 1; b >= 0; b--) long[a][b] = one[a] === other[b] ? long[a + 1][b + 1] + 1 : Math.max(long[a + 1][b], long[a][b + 1]);
  const pairs = [];
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    if (one[a] === other[b]) pairs.push([a++, b++]);
    else if (long[a + 1][b] >= long[a][b + 1]) a++;
    else b++;
  }
  return pairs;
}

/** Rows of calls of several episodes: calls of the same tool and meaning stand in one row, null where an episode has none. */
export function aligned(talks) {
  let rows = talks[0].calls.map((call, place) => ({ key: call.canonical, places: [place] }));
  talks.slice(1).forEach((talk, index) => {
    const pairs = new Map(agreeing(rows.map((row) => row.key), talk.calls.map((call) => call.canonical)).map(([a, b]) => [b, a]));
    const empty = () => Array(index + 1).fill(null), merged = [];
    let next = 0;
    talk.calls.forEach((call, place) => {
      if (!pairs.has(place)) return merged.push({ key: call.canonical, places: [...empty(), place] });
      for (; next < pairs.get(place); next++) merged.push({ ...rows[next], places: [...rows[next].places, null] });
      merged.push({ ...rows[next], places: [...rows[next].places, place] });
      next += 1;
    });
    for (; next < rows.length; next++) merged.push({ ...rows[next], places: [...rows[next].places, null] });
    rows = merged;
  });
  return rows.map((row) => row.places);
}

const named = (one) => `${one.run} / ${one.task} / ${one.trial}`;

function read(query) {
  return query.getAll("episode").map((text) => {
    const [run, task, trial] = text.split("/").map(decodeURIComponent);
    if (trial === undefined || !/^\d+$/.test(trial)) throw new Error(`${text} names no episode; one is RUN/TASK/TRIAL.`);
    return { run, task, trial: Number(trial) };
  });
}

function callsTable(ones, talks) {
  const rows = aligned(talks), first = rows.findIndex((places) => places.includes(null));
  const cell = (place, index) => {
    if (place === null) return el("td", { class: "none" }, faint("–"));
    const call = talks[index].calls[place], one = ones[index];
    return el("td", {}, anchor(String(place), link.episode(one.run, one.task, one.trial, { call: place })), " ",
      el("span", { class: `code${call.error !== null ? " bad" : ""}` }, written(call)), " ",
      call.error !== null ? tag(call.error, "bad") : null, call.changes?.length ? tag(`${plural(call.changes.length, "row")} changed`, "good") : null);
  };
  const heads = ones.map((one, index) => el("th", { scope: "col" }, named(one), talks[index].turn === null ? null
    : faint(` decided at turn ${talks[index].turn}`)));
  const call = (place, index) => (place === null ? null : `${ones[index].run} trial ${ones[index].trial} calls ${talks[index].calls[place].name}`);
  return [el("p", { id: "divergence" }, first < 0 ? "All made the same calls in the same order."
    : `The first difference is in row ${first}: ${rows[first].map(call).filter(Boolean).join(" and ")}.`),
    scrolling("Calls beside one another", el("table", { id: "aligned" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "row"), heads)),
      el("tbody", {}, rows.map((places, row) => el("tr", { class: row === first ? "first" : places.includes(null) ? "differs" : null },
        el("th", { scope: "row" }, row === first ? el("span", {}, `${row} `, tag("first difference", "bad")) : String(row)),
        places.map(cell))))))];
}

function rewardsTable(ones, talks) {
  const names = [...new Set(talks.flatMap((talk) => Object.keys(talk.rewards)))];
  const rows = names.flatMap((name) => {
    const parts = [...new Set(talks.flatMap((talk) => Object.keys(talk.rewards[name]?.components || {})))];
    const line = (label, read) => { const values = talks.map(read);
      return [label, ...values.map((each) => el("span", { class: values.some((other) => other !== each) ? "differs" : null }, number(each, 3)))]; };
    return [line(el("b", {}, name), (talk) => talk.rewards[name]?.total ?? null),
      ...parts.map((part) => line(el("span", { class: "part" }, part.replaceAll("_", " ")), (talk) => talk.rewards[name]?.components[part] ?? null))];
  });
  return names.length ? table(["reward", ...ones.map(named)], rows, ones.map((_, index) => index + 1)) : quiet("No reward was computed.");
}

/** The rows that any of them changed, and gold, at the end. */
function endTable(ones, talks) {
  const cells = new Map();
  const put = (table, key, column, index, given) => {
    const place = placeOf(table, [...key, column]), known = cells.get(place) || { row: `${table} ${keyOf(key)}`, column, start: undefined, gold: undefined,
      values: Array(talks.length).fill(undefined) };
    if (given.start !== undefined) known.start = given.start;
    if (given.gold !== undefined) known.gold = given.gold;
    if (given.now !== undefined) known.values[index] = given.now;
    cells.set(place, known);
  };
  talks.forEach((talk, index) => {
    for (const row of talk.made) for (const [column, start, now] of row.cells) put(row.table, row.key, column, index, { start, now });
    for (const row of talk.end || []) if (row.due) for (const cell of row.cells) put(row.table, row.key.length ? row.key : row.gold_key, cell.column, index,
      { start: cell.before, gold: cell.gold });
  });
  if (!cells.size) return el("p", {}, "None of them changed a row, and none had to.");
  const known = [...cells.values()].sort((one, other) => one.row.localeCompare(other.row)), gold = talks.some((talk) => talk.end !== null);
  const rows = known.map((cell, place) => {
    const values = cell.values.map((each) => (each === undefined ? cell.start : each)), right = cell.gold === undefined ? cell.start : cell.gold;
    return [place && known[place - 1].row === cell.row ? "" : cell.row, el("code", {}, cell.column), value(cell.start),
      ...values.map((each) => el("span", { class: gold ? (same(each, right) ? "good" : "bad") : null }, value(each))), ...(gold ? [value(right)] : [])];
  });
  return table(["row", "column", "at the start", ...ones.map(named), ...(gold ? ["gold"] : [])], rows);
}

/** Choose another episode of the task. */
function adding(ones, source) {
  const { task } = ones[0];
  const run = el("select", { "aria-label": "run" }), trial = el("select", { "aria-label": "trial" });
  source.runs().then(({ runs }) => { run.append(...options(runs.map((each) => [each.id, each.name]), ones[0].run)); list(); }, () => box.remove());
  run.addEventListener("change", list);
  async function list() {
    const { rows } = await source.table(run.value).catch(() => ({ rows: [] }));
    const free = rows.filter((row) => row.task === task && !ones.some((one) => one.run === run.value && one.trial === row.trial));
    const words = (row) => `trial ${row.trial}: ${row.passed === null ? "not scored" : row.passed ? "passed" : "failed"}`;
    trial.replaceChildren(...options(free.length ? free.map((row) => [row.trial, words(row)]) : [["", "no other one"]]));
    button.disabled = !free.length;
  }
  const button = el("button", { type: "submit" }, "add");
  const add = () => { if (trial.value !== "") go(link.compareEpisodes([...ones, { run: run.value, task, trial: Number(trial.value) }])); };
  const box = form(add, { class: "filters" }, el("span", {}, `Another episode of ${task}: `), run, trial, button);
  return ones.length < MOST ? box : null;
}

export async function render(container, params, source) {
  const ones = read(params.query);
  if (ones.length > MOST) throw new Error(`At most ${MOST} episodes stand beside one another; this address names ${ones.length}.`);
  const other = ones.find((one) => one.task !== ones[0].task);
  if (other) throw new Error(`Episodes of one task are compared; ${ones[0].task} and ${other.task} are two.`);
  const talks = await Promise.all(ones.map((one) => source.episode(one.run, one.task, one.trial)));
  const file = ones.length > 1 ? source.exported({ episode: ones.map(link.part) }) : null;
  container.append(path(["runs", link.runs()]), el("h1", {}, `Compare ${ones[0].task}`),
    el("div", { class: "tools" }, adding(ones, source), saving(file)),
    el("div", { class: "beside-one-another" }, ones.map((one, index) => {
      const [mark, words] = result(talks[index]);
      return el("section", { class: `verdict ${mark}` }, el("h2", {}, anchor(named(one), link.episode(one.run, one.task, one.trial)), " ",
        el("b", { class: mark }, words)), talks[index].why.map((sentence) => el("p", {}, sentence)));
    })));
  if (ones.length < 2) return void container.append(problem("One episode alone cannot be compared; add another one above.")) || {};
  container.append(el("h2", {}, "Calls"), ...callsTable(ones, talks), el("h2", {}, "Rows at the end"), endTable(ones, talks), el("h2", {}, "Rewards"),
    rewardsTable(ones, talks));
  return {};
}
