// The sessions of a `toolgym serve` that is watched (#/sessions), and one of them (#/session/NUMBER): its calls as they come.

import { madeCall } from "toolgym/conversation.js";
import { announce, duration, el, moment, path, plural, problem, quiet, tag } from "toolgym/dom.js";
import { columnsOf, grid } from "toolgym/grid.js";
import { link, setQuery } from "toolgym/router.js";

const seconds = (text) => Date.parse(text) / 1000;
const state = (row) => (row.ended ? row.reason : "open");
const lasted = (row) => (row.ended ? seconds(row.ended) - seconds(row.created) : null);
const COLUMNS = columnsOf([
  { name: "number", title: "session", width: 90, numeric: true },
  { name: "state", width: 90, value: state, draw: (row) => el("span", { class: row.ended ? "quiet" : "good" }, state(row)) },
  { name: "domain", title: "world", width: 150 }, { name: "data", width: 80 }, { name: "task", width: 210 }, { name: "seed", width: 80, numeric: true },
  { name: "events", title: "calls", width: 80, numeric: true, meaning: "calls and rollbacks so far", value: (row) => row.events - (row.ended ? 1 : 0) },
  { name: "opened", width: 150, value: (row) => row.created, as: (created) => moment(seconds(created)) },
  { name: "lasted", width: 90, numeric: true, meaning: "from its opening to its end", value: lasted, as: duration },
]);

export async function render(container, params, source) {
  return params.number === undefined ? list(container, params, source) : one(container, params, source);
}

function list(container, params, source) {
  let query = params.query, rows = [], told = null;
  const about = quiet(), trouble = el("div"), empty = quiet();
  const table = grid({ label: "Sessions", columns: COLUMNS, href: (row) => link.session(row.number), change: ({ sort }) => draw(setQuery({ sort })) });
  container.append(el("h1", {}, "Sessions"), about, trouble, table.node, empty);

  function draw(next) {
    query = next;
    table.node.hidden = !rows.length;
    empty.textContent = told && !rows.length ? "No session has been opened yet." : "";
    table.show(rows, { sort: query.get("sort") });
  }
  function take(event) {
    trouble.replaceChildren(event.kind === "problem" ? problem(event.text) : "");
    if (event.kind === "problem") return;
    told = event;
    rows = event.sessions;
    const shown = event.total > rows.length ? `; the newest ${rows.length} of ${event.total} are shown` : "";
    about.textContent = `of the server at ${event.server}: ${event.open} open of ${event.limit} that it keeps open${shown}`;
    if (event.open >= event.limit) trouble.replaceChildren(problem(`As many sessions are open as this server keeps (${event.limit}): `
      + `it opens no other before one is closed or expires.`));
    draw(query);
  }
  return {
    dispose: source.watchSessions(null, take), shown: () => draw(query), update: ({ query: next }) => draw(next),
    keys: { j: [() => table.move(1), "next session"], k: [() => table.move(-1), "previous session"] },
  };
}

function one(container, params, source) {
  let calls = [], was = null;
  const head = el("p", { class: "quiet facts" }), trouble = el("div"), notes = el("div"), log = el("div", { id: "calls" });
  const follow = el("input", { type: "checkbox", checked: true }), drawn = new Map();
  container.append(path(["sessions", link.sessions()]), el("h1", {}, `Session ${params.number}`),
    head, trouble, notes, el("div", { class: "tools" }, el("label", {}, follow, " keep the last call in sight")), log);

  function take(event) {
    trouble.replaceChildren(event.kind === "problem" ? problem(event.text) : "");
    if (event.kind === "problem") return;
    const now = event.about;
    if (was && was.created !== now.created) { log.replaceChildren(); drawn.clear(); } // another server has this number now
    calls = [...calls.slice(0, event.keep), ...event.calls];
    const rest = event.first ? `, of which the last ${calls.length} are shown` : "";
    head.replaceChildren(el("b", { class: now.ended ? "quiet" : "good" }, state(now)),
      ` ${[now.domain, now.data === "own" ? null : `${now.data} data`, now.task && `task ${now.task}`, `seed ${now.seed}`,
        `its clock stands at ${now.now.replace("T", " ")}`,
        `opened ${moment(seconds(now.created))}`,
        now.ended ? `${now.reason} ${moment(seconds(now.ended))}` : `expires ${moment(seconds(now.expires))}`,
        `${plural(event.first + calls.length, "call")}${rest}`].filter(Boolean).join(" · ")}`);
    notes.replaceChildren(event.stopped ? problem(event.stopped) : calls.length ? "" : quiet("No call has been made yet."));
    const fresh = event.calls.length && was;
    show(event.first);
    if (fresh) announce(`${plural(event.calls.length, "new call")}: ${event.calls.at(-1).name}`);
    if (was && !was.ended && now.ended) announce(`The session is ${now.reason}`);
    if (follow.checked && event.calls.length) log.lastElementChild?.scrollIntoView({ block: "nearest" });
    was = now;
  }

  /** Calls that are there already stay as they are, unfolded or not. */
  function show(before) {
    const wanted = new Map(calls.map((call, place) => [call.position, { call, number: before + place }]));
    for (const [position, node] of drawn) if (!wanted.has(position)) { node.remove(); drawn.delete(position); }
    for (const [position, { call, number }] of wanted) {
      if (drawn.has(position)) continue;
      const marks = [tag(call.by === "user" && "the user's"), tag(duration(call.seconds)),
        tag(call.unlike && "comes to something else in this version", "mid")];
      drawn.set(position, madeCall(call, number, false, ...marks));
      log.append(drawn.get(position));
    }
  }
  return { dispose: source.watchSessions(params.number, take) };
}

