// One episode: what was said and called, what came of it, and the rows that it changed beside those of gold.

import { el, number, scoreClass, table } from "toolgym/dom.js";
import { link } from "toolgym/router.js";

function callBox(call, results) {
  const [name, given, id] = call, result = results[id];
  const refused = result !== undefined && result.startsWith("Error:");
  return el("details", { class: "call" }, el("summary", { class: refused ? "bad" : null }, `${name}(${given})`), el("pre", {}, result === undefined ? "" : pretty(result)));
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function say(message) {
  const box = el("div", { class: `say ${message.role}` }, el("b", {}, message.role === "assistant" ? "agent" : message.role), message.text);
  if (message.audio) box.append(el("audio", { controls: "", preload: "none", src: message.audio }));
  if (message.heard) box.append(el("p", { class: "quiet heard" }, `heard: ${message.heard}`, message.missed.length ? el("span", { class: "bad" }, ` missed: ${message.missed.join(", ")}`) : null));
  return box;
}

function wordings(text) {
  const [first, ...others] = text.split("|");
  return others.length ? `${first} (or ${others.length} other wordings)` : first;
}

function transcript(talk, params) {
  const results = {};
  for (const message of talk.messages) if (message.answers) results[message.answers] = message.text;
  const root = el("div", { class: "conversation" });
  let turn = -1, box = root;
  for (const message of talk.messages) {
    if (message.role === "tool") continue;
    if (message.role === "assistant") {
      turn += 1;
      const score = (talk.scores || [])[turn], reason = talk.reasons[turn] || "", id = `turn-${turn}`;
      box = el("div", { class: `turn ${scoreClass(score)}`, id },
        el("div", { class: "turnhead" }, el("a", { href: link.episode(params.run, params.task, params.trial, { turn }) }, `turn ${turn}`), el("span", {}, score === undefined ? "" : `score ${score}`), el("span", { class: score === -1 ? "bad" : "mid" }, reason)));
      root.append(box);
      if (message.thoughts) box.append(el("p", { class: "thoughts" }, message.thoughts));
    }
    if (message.text) box.append(say(message));
    for (const call of message.calls || []) box.append(callBox(call, results));
  }
  return root;
}

function rowsOf(diff) {
  const show = (value) => (value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value));
  return diff.flatMap((row) => row.columns.map(([name, before, after, gold], place) => [
    place ? "" : row.row, name, show(before), el("span", { class: show(after) === show(gold) ? "good" : "bad" }, show(after)), show(gold)]));
}

/** A program: calls in columns by how many results they build on, an arrow for every result that is used. */
function programGraph(program) {
  const wide = 190, high = 34, gapX = 46, gapY = 16;
  const x = (node) => 4 + node.column * (wide + gapX), y = (node) => 4 + node.row * (high + gapY);
  const colours = { made: "var(--ink)", refused: "var(--bad)", unmade: "var(--line)" };
  const width = Math.max(wide, ...program.nodes.map((node) => x(node) + wide + 4)), height = Math.max(high, ...program.nodes.map((node) => y(node) + high + 4));
  const arrows = program.edges.map(([from, to]) => {
    const a = program.nodes[from], b = program.nodes[to], x1 = x(a) + wide, y1 = y(a) + high / 2, x2 = x(b), y2 = y(b) + high / 2;
    return el("path", { d: `M${x1},${y1}C${x1 + gapX / 2},${y1} ${x2 - gapX / 2},${y2} ${x2},${y2}m-6,-4l6,4l-6,4`, class: "edge", "data-from": from, "data-to": to, fill: "none", stroke: colours[b.state] });
  });
  const boxes = program.nodes.map((node, place) => el("g", { class: `node ${node.state}` },
    el("title", {}, `${node.name} ${node.arguments}`),
    el("rect", { x: x(node), y: y(node), width: wide, height: high, rx: 5, fill: "none", stroke: colours[node.state], "stroke-width": node.state === "refused" ? 2.5 : 1 }),
    el("text", { x: x(node) + 10, y: y(node) + 21, fill: colours[node.state] }, `${place} ${node.name.length > 24 ? `${node.name.slice(0, 23)}…` : node.name}`)));
  return el("figure", { class: "program" }, el("figcaption", {}, program.fault || "The program came to its end."),
    program.nodes.length ? el("div", { class: "scroll" }, el("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, arrows, boxes)) : null);
}

function body(talk, params) {
  const verdict = Object.entries(talk.verdict).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value ? "yes" : "no"}`);
  const rewards = Object.entries(talk.rewards).map(([name, r]) => [name, number(r.total), Object.entries(r.components).map(([part, value]) => `${part} ${number(value, 2)}`).join(", ")]);
  return el("div", { class: "body" },
    el("div", { class: "columns" },
      el("div", {}, el("h3", {}, "The user's situation"), el("p", {}, talk.scenario),
        talk.communicate.length ? el("p", { class: "quiet" }, "Must be told: ", el("code", {}, talk.communicate.map(wordings).join("; "))) : null),
      el("div", {}, el("h3", {}, "Verdict"), el("p", {}, `${talk.ending}. ${verdict.join(", ")}`), table(["reward", "total", "parts"], rewards, [1]))),
    el("details", {}, el("summary", {}, "Gold calls"), el("p", {}, talk.gold.map((call) => el("div", {}, el("code", {}, call))))),
    (talk.programs || []).length ? [el("h3", {}, "Program"), ...talk.programs.map((program) => programGraph(program))] : null,
    talk.diff.length ? [el("h3", {}, "Changed rows"), table(["row", "column", "before", "after", "gold"], rowsOf(talk.diff))] : null,
    el("h3", {}, "Conversation"), transcript(talk, params));
}

export const title = (params) => `${params.task}, trial ${params.trial}`;

export async function render(container, params, source) {
  const talk = await source.episode(params.run, params.task, params.trial);
  container.append(
    el("p", { class: "path" }, el("a", { href: link.run(params.run) }, params.run), " / "),
    el("h1", {}, params.task, el("span", { class: "quiet" }, ` trial ${params.trial} `),
      el("b", { class: talk.passed ? "good" : "bad" }, talk.passed === null ? "not scored" : talk.passed ? "passed" : "failed")),
    body(talk, params));
  const toTurn = (query) => {
    for (const each of container.querySelectorAll(".turn.here")) each.classList.remove("here");
    const turn = query.get("turn") === null ? null : document.getElementById(`turn-${query.get("turn")}`);
    if (turn) { turn.classList.add("here"); turn.scrollIntoView(); }
  };
  return { shown: () => toTurn(params.query), update: ({ query }) => toTurn(query) };
}
