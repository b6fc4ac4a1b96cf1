// What was said and called, in order: thoughts folded, calls with their whole results, recordings beside what was heard.

import { anchor, code, el, faint, fold, plural, pre, quiet, scoreClass, scoreMark, tag } from "toolgym/dom.js";
import { prose } from "toolgym/markdown.js";
import { recording } from "toolgym/recording.js";
import { changedRows, keyOf } from "toolgym/values.js";

const JUDGED = { "1": ["+1", "The turn advances the case."], "0": ["0", "The turn brings nothing."], "-1": ["−1", "Here it went wrong for good."] };

const MOODS = { good: /^success$/, bad: /^(failure|sent back|no |give up)/, mid: /^(partial|corrected|another)/ };

/** Text that is JSON with its lines, other text as it is. */
export function pretty(value) {
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  try { return JSON.stringify(JSON.parse(value), null, 2); } catch { return value; }
}

/** A call as one reads it: `name(argument: value, ...)`. */
export function written(call) {
  const given = call.arguments;
  if (given === null || typeof given !== "object") return `${call.name}(${given ?? ""})`;
  return `${call.name}(${Object.entries(given).map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ")})`;
}

function callBox(call, talk, results, pick) {
  const record = call.number === null ? null : talk.calls[call.number], told = results.get(call.id);
  const result = record?.result ?? told, refused = record ? record.error !== null : false, changed = record?.changes?.length;
  const notes = [tag(call.by === "user" && "the user's tool"), tag(refused && `refused: ${record.error}`, "bad"),
    tag(call.number === null && "was not made", "bad"), tag(changed && `${plural(changed, "row")} changed`, "good"),
    tag(record?.unlike && "another result here", "mid")];
  const name = call.number === null ? el("span", { class: "pick" }, written(call))
    : el("button", { type: "button", class: "pick", "aria-pressed": "false", onclick: () => pick(call.number) }, faint(`${call.number} `), written(call));
  return el("div", { class: `call${refused ? " refused" : ""}`, id: call.number === null ? null : `call-${call.number}` }, name, notes,
    record?.approval ? dialog(record.approval) : null,
    result === undefined ? null : el("details", { open: refused }, el("summary", {}, "result"), pre(pretty(result))));
}

/** Mark the call that is picked, and no other; `number` is null or less than 0 where none is. */
export function markPicked(root, number) {
  for (const box of root.querySelectorAll(".call[id]")) {
    const picked = box.id === `call-${number}`;
    box.classList.toggle("picked", picked);
    box.querySelector("button.pick")?.setAttribute("aria-pressed", String(picked));
  }
}

/** A call as it comes: { name, arguments, ok, error, text, changes }; its result is folded unless `open`. */
export function madeCall(call, number, open, ...notes) {
  return el("div", { class: `call${call.ok ? "" : " refused"}` }, code(`${number} ${written(call)}`),
    tag(!call.ok && `refused: ${call.error}`, "bad"), notes, el("details", { open }, el("summary", {}, "result"), pre(pretty(call.text))),
    call.changes.length ? changedRows("Rows that it changed", call.changes) : null);
}

/** What the user was asked before the call was made, and the answer. */
function dialog({ shown, approved, sentence, by }) {
  const cell = ([column, value]) => `${column} ${typeof value === "object" ? JSON.stringify(value) : value}`;
  const rows = Object.entries(shown.rows).flatMap(([name, found]) => found.map((row) => [name, Object.entries(row).map(cell).join(", ")]));
  return el("div", { class: "asked" }, el("b", {}, "Do you approve this call? "), el("b", { class: approved ? "good" : "bad" }, approved ? "Yes" : "No"),
    sentence ? ` “${sentence}”` : null, faint(by ? ` (${by})` : ""),
    rows.length ? fold(`${plural(rows.length, "row")} shown with it`,
      el("dl", {}, rows.map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, text))))) : null);
}

function say(message) {
  const name = message.role === "assistant" ? "agent" : message.role;
  return el("div", { class: `say ${message.role}` }, el("b", {}, name, message.unread ? " (could not be read, and was not delivered)" : ""),
    prose(message.text || ""),
    message.audio ? recording(message) : null);
}

/** What the user saw changed of its own before it spoke again. */
const events = (rows) => el("p", { class: "strip" }, "The user sees: ", rows.map(({ table, key, deed, cells }) => tag(`${table} ${keyOf(key)} ${
  deed === "updated" ? cells.map(([column, , after]) => `${column} ${JSON.stringify(after)}`).join(", ") : deed}`, "good")));

/** How a teacher was led through the states, each of which leads to its turn. */
const states = (talk, href) => el("details", { open: true }, el("summary", {}, `How the teacher was led: ${plural(talk.states.length, "step")}`),
  el("ol", { class: "strip" }, talk.states.map(({ state, outcome, turn }) => el("li", {}, el("a", { href: href(Math.max(0, turn)),
    class: `tag ${Object.keys(MOODS).find((mood) => MOODS[mood].test(outcome)) || ""}` }, state, " ", el("b", {}, outcome))))));

/** Make every id of a known row, in what was said and shown, a link to it. */
function nameRows(root, rows, href) {
  const ids = [...new Set(rows.map((row) => String(row.key[0])))].map((id) => id.replace(/[^\w#]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w#-])(${ids.join("|")})(?![\\w-])`), walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, box = node.parentElement;
    if (box.closest(".say, pre") && !box.closest("a, button") && pattern.test(node.data)) found.push(node);
  }
  for (const node of found) node.replaceWith(...node.data.split(pattern).map((text, place) => (place % 2 ? el("a", { class: "id", href: href(text) }, text)
    : text)));
}

/** What the user wants, or the ticket; what must be told and the gold calls. */
export function situation(talk) {
  const alone = talk.interaction !== "dialogue";
  const told = talk.communicate.map((text) => text.split("|")).map(([first, ...others]) => (others.length
    ? el("details", { class: "told" }, el("summary", {}, el("code", {}, first), ` or ${plural(others.length, "other wording")}`),
      el("p", {}, others.join("; "))) : el("p", { class: "told" }, el("code", {}, first))));
  return el("details", { class: "situation", open: true }, el("summary", {}, talk.ticket && alone ? "The ticket" : "The user's situation"),
    el("p", {}, alone ? talk.ticket || talk.scenario : talk.scenario), told.length ? quiet("Must be told:") : null, told,
    el("details", { class: "gold" }, el("summary", {}, plural(talk.gold.length, "gold call")),
      talk.gold.map((call) => code(written(call)))));
}

/** The conversation of an episode; `pick` is called with a call's number, `href` makes a turn's address, `fork` that of going on from it, `row` an id's. */
export function conversation(talk, pick, href, { fork = null, row = null } = {}) {
  const results = new Map(talk.messages.filter((message) => message.answers).map((message) => [message.answers, message.text]));
  const known = new Set(talk.messages.flatMap((message) => (message.calls || []).map((call) => call.id)));
  const root = el("div", { class: "conversation" });
  let box = root, turn = -1, seen = [];
  if (talk.states?.length) root.append(states(talk, href));
  for (const message of talk.messages) {
    if (message.role === "tool" && known.has(message.answers)) continue;
    if (message.role === "assistant") {
      turn += 1;
      box = turnBox(talk, turn, href, fork);
      root.append(box);
    }
    if (message.role === "user" && seen.length) box.append(events(seen.splice(0)));
    if (message.thoughts) box.append(el("details", { class: "thoughts" }, el("summary", {}, "thoughts"), el("p", {}, message.thoughts)));
    if (message.text || message.audio) box.append(say(message));
    for (const call of message.calls || []) {
      box.append(callBox(call, talk, results, pick));
      seen.push(...(talk.calls[call.number]?.seen || []));
    }
  }
  if (row && talk.rows?.length) nameRows(root, talk.rows, row);
  if (root.querySelector(".source")) root.prepend(el("label", { class: "raw" },
    el("input", { type: "checkbox", onchange: (event) => root.classList.toggle("written", event.target.checked) }), " text as it was written"));
  if (!talk.messages.length) root.append(quiet("Nothing was said."));
  if (talk.ended) root.append(el("p", { class: "quiet ended" }, `The end: ${talk.ended}.`));
  return root;
}

function turnBox(talk, turn, href, fork) {
  const score = (talk.scores || [])[turn], reason = (talk.reasons || [])[turn] || "";
  const [mark, meaning] = JUDGED[String(score)] || ["", ""];
  const broken = talk.violations.filter((each) => each.turn === turn);
  return el("div", { class: `turn ${scoreClass(score)}`, id: `turn-${turn}` }, el("div", { class: "turnhead" }, anchor(`turn ${turn}`, href(turn)),
      mark ? el("b", { class: scoreMark(score), title: meaning }, mark) : null,
      el("span", { class: score === -1 ? "bad" : null }, reason),
      broken.map((each) => tag(each.kind.replaceAll("_", " "), "bad")),
      fork ? el("a", { class: "fork", href: fork(turn) }, "go on from here", el("span", { class: "unseen" }, `, turn ${turn}`)) : null));
}
