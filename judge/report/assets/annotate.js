// Scoring a run's turns by keys, blind: what judges and others say is not sent before one's own scores are there.
// Its address: ?annotator= (else the name this browser keeps), ?draw= (all, sample, disagreed), ?count= of a sample, ?at=TASK/TRIAL/TURN.

import { desk, signed, told } from "toolgym/annotate_desk.js";
import { outbox } from "toolgym/annotate_outbox.js";
import { conversation, situation } from "toolgym/conversation.js";
import { announce, el, faint, form, options, path, plural, problem, scoreClass } from "toolgym/dom.js";
import { prompt } from "toolgym/episode_prompt.js";
import { go, link, setQuery } from "toolgym/router.js";

const KEPT = "annotator";
const DRAWS = { all: "all turns", sample: "a sample", disagreed: "where judges or others disagree" };
export const keptName = () => { try { return localStorage.getItem(KEPT) || ""; } catch { return ""; } };
/** What an address asks for. */
const askedFor = (query) => ({ annotator: query.get("annotator") || keptName(), draw: query.get("draw") || "all", count: query.get("count") || "50" });
const nameOf = (item) => `${item.task}/${item.trial}/${item.turn}`;

export const title = (params) => `Annotate ${params.run}`;

export async function render(container, params, source) {
  if (source.live && !source.writable) throw new Error("This viewer is read-only.");
  if (!source.live) throw new Error("Turns are scored in the viewer: `toolgym view`.");
  container.append(path(["runs", link.runs()], [params.run, link.run(params.run)]), el("h1", {}, "Annotate"));
  const wanted = { id: params.run, ...askedFor(params.query) };
  if (!wanted.annotator) { container.append(nameForm(params.run)); return { shown: () => container.querySelector("#name").focus() }; }
  const state = await source.ask("/annotations", wanted);
  const items = state.turns.map(([task, trial, turn, score, reason, changed]) => ({ task, trial, turn, score, reason, changed }));
  container.append(bar(params.run, wanted, state, source));
  if (!items.length) { container.append(el("p", {}, wanted.draw === "disagreed" ? "There is no turn to which judges or other annotators gave different scores."
    : "No episode of this run has a turn.")); return {}; }
  return work(container, params, source, wanted, items);
}

function nameForm(run) {
  const name = el("input", { id: "name", name: "name", required: true, maxlength: 60, autocomplete: "name" });
  const keep = () => {
    if (!name.value.trim()) return;
    try { localStorage.setItem(KEPT, name.value.trim()); } catch { return go(link.annotate(run, { annotator: name.value.trim() })); }
    dispatchEvent(new HashChangeEvent("hashchange"));
  };
  return form(keep, { class: "naming" },
    el("p", {}, "You score the turns of this run one by one: +1, 0 or −1, each with a reason if you like. ",
      "What judges and other people said stays hidden until you have scored a conversation."),
    el("label", { class: "field" }, el("span", {}, "Your name, as it will stand beside your scores"), name), el("button", { type: "submit" }, "Start"));
}

/** Who scores, which turns are asked for, how far they are, and what is taken away. */
function bar(run, wanted, state) {
  const query = setQuery({}), change = (values) => go(link.annotate(run, { ...Object.fromEntries(query), at: null, ...values }));
  const drawn = ({ target }) => change({ draw: target.value, count: target.value === "sample" ? wanted.count : null });
  const counted = ({ target }) => { if (target.checkValidity()) change({ count: target.value }); };
  const draw = el("select", { id: "draw", "aria-label": "Which turns", onchange: drawn }, options(Object.entries(DRAWS), wanted.draw));
  const count = wanted.draw !== "sample" ? null : el("label", {}, "of at least ",
    el("input", { id: "count", type: "number", min: 1, value: wanted.count, onchange: counted }), " turns, in whole conversations");
  const rename = () => { try { localStorage.removeItem(KEPT); } catch { /* it keeps nothing */ } setQuery({ annotator: null, at: null });
    dispatchEvent(new HashChangeEvent("hashchange")); };
  return el("div", {}, el("div", { class: "tools" }, el("span", {}, "Scoring as ", el("b", { id: "annotator" }, state.annotator)),
    el("button", { type: "button", id: "rename", onclick: rename }, "somebody else"), draw, count,
    el("a", { href: link.agreement(run, { annotator: query.get("annotator") }), id: "agreement" }, "agreement")),
  state.problems.length ? problem(`Left out: ${state.problems.join(" ")}`) : null);
}

function work(container, params, source, wanted, items) {
  const asked = params.query.get("at"), first = items.findIndex((item) => nameOf(item) === asked), unscored = items.findIndex((item) => item.score === null);
  let at = Math.max(0, first >= 0 ? first : unscored), shown = null, finished = null, prompted = null, drawing = 0, giving = false;
  const done = [], notice = el("div", {}), waiting = el("div", {}), said = el("div", {}), others = el("div", { class: "told" }),
    count = el("span", { id: "progress" });
  const progress = el("progress", { max: items.length, "aria-labelledby": "progress" }), policy = el("details", { class: "gold" },
    el("summary", {}, "What the agent was told"));
  const panel = desk({ score, reasoned, move, skip, undo });
  const box = outbox(`annotations ${params.run}`, (given) => source.ask("/annotations", {}, given), (left) => waiting.replaceChildren(left
    ? problem(`${plural(left, "score")} not saved yet. They are kept in this browser and sent as soon as the server answers.`) : ""));
  const ofEpisode = () => items.filter((item) => item.task === items[at].task && item.trial === items[at].trial);
  if (asked && first < 0) notice.append(problem(`The turn ${asked} is not among those that are asked for.`));
  policy.addEventListener("toggle", () => { if (policy.open && !prompted) policy.append(prompted = prompt(() => source.prompt(params.run, items[at].task,
    items[at].trial), shown.talk)); });

  async function show(focus = true) {
    const item = items[at], mine = ++drawing;
    setQuery({ at: nameOf(item) });
    if (!shown || shown.task !== item.task || shown.trial !== item.trial) {
      panel.able(false);
      const found = await source.ask("/annotations/episode", { ...wanted, task: item.task, trial: item.trial });
      if (mine !== drawing) return;
      shown = { task: item.task, trial: item.trial, ...found };
      prompted?.remove();
      prompted = null;
      policy.open = false;
      said.replaceChildren(el("h2", { class: "which" }, item.task, faint(` trial ${item.trial}`)), situation(found.talk), policy,
        conversation(found.talk, () => {}, (turn) => link.annotate(params.run, { ...Object.fromEntries(setQuery({})), at: nameOf({ ...item, turn }) })));
      for (const pick of said.querySelectorAll("button.pick")) pick.replaceWith(el("span", { class: "pick" }, ...pick.childNodes));
      panel.able(true);
    }
    draw();
    announce(`Turn ${item.turn}, ${at + 1} of ${items.length}${item.score === null ? "" : `, scored ${signed(item.score)}`}`);
    if (focus) said.querySelector(`#turn-${item.turn}`)?.scrollIntoView({ block: "start" });
  }

  function draw() {
    const item = items[at], mine = ofEpisode(), scored = items.filter((each) => each.score !== null).length;
    progress.value = scored;
    count.textContent = `${scored} of ${plural(items.length, "turn")} scored`;
    const other = mine.find((each) => each !== item && each.score === -1);
    const about = item.changed ? "The record of this turn is another one than when you scored it; your score does not count."
      : item.score !== null ? `You scored it ${signed(item.score)}.` : "Not scored yet.";
    const given = mine.filter((each) => each.score !== null).length, wrong = other ? ` Turn ${other.turn} has −1 already.` : "";
    panel.show(item, `${about} Conversation: ${given} of ${mine.length} scored.${wrong}`, done.length);
    for (const box of said.querySelectorAll(".turn")) {
      const own = mine.find((each) => `turn-${each.turn}` === box.id);
      box.className = `turn ${own === item ? "here" : ""} ${scoreClass(own?.score)}`;
      box.querySelector(".own")?.remove();
      if (own) box.querySelector(".turnhead").append(el("span", { class: "own" }, own.score === null ? (own === item ? "score this turn" : "to be scored")
        : `you: ${signed(own.score)}`));
    }
    others.replaceChildren(told(shown.told ? { told: shown.told, items: mine } : finished, params.run, shown.told !== null));
  }

  async function give(item, score, reason) {
    const before = { item, score: item.score, reason: item.reason };
    Object.assign(item, { score, reason, changed: false });
    try {
      const answer = await box.put({ ...wanted, task: item.task, trial: item.trial, turn: item.turn, score, reason });
      if (answer && shown.task === item.task && shown.trial === item.trial) shown.told = answer.told;
      return before;
    } catch (error) {
      Object.assign(item, { score: before.score, reason: before.reason });
      panel.say(error.message, true);
      draw();
      return null;
    }
  }

  async function score(value) {
    const item = items[at];
    if (giving || shown.task !== item.task || shown.trial !== item.trial) return; // the turn is not in sight yet
    giving = true;
    const open = shown.told, before = await give(item, value, panel.reason.value.trim());
    giving = false;
    if (!before) return;
    done.push(before);
    const next = following(), over = shown.told && !open;
    if (over) finished = { told: shown.told, items: ofEpisode() };
    const told = over ? " The conversation is scored: what the others say of it stands below." : "";
    panel.say(`Turn ${item.turn} scored ${signed(value)}.${told}${next < 0 ? " No turn is left to score." : ""}`);
    if (next < 0) return draw();
    at = next;
    await show();
  }
  const following = () => { const later = items.findIndex((each, place) => place > at && each.score === null); return later >= 0 ? later
    : items.findIndex((each, place) => place !== at && each.score === null); };

  async function reasoned() {
    const item = items[at], reason = panel.reason.value.trim();
    if (item.score === null) return panel.say("The reason is kept when you score the turn.");
    if (reason === item.reason) return;
    const before = await give(item, item.score, reason);
    if (before) { done.push(before); panel.say(`The reason for turn ${item.turn} is kept.`); draw(); }
  }

  async function undo() {
    const last = done.pop();
    if (!last) return panel.say("There is nothing to undo.");
    if (!(await give(last.item, last.score, last.reason))) return;
    at = items.indexOf(last.item);
    await show();
    panel.say(last.score === null ? `The score of turn ${last.item.turn} is taken back.` : `Turn ${last.item.turn} has ${signed(last.score)} again.`);
  }

  async function afresh() {
    const { turns } = await source.ask("/annotations", wanted);
    const said = new Map(turns.map(([task, trial, turn, ...own]) => [nameOf({ task, trial, turn }), own]));
    for (const item of items) if (said.has(nameOf(item))) [item.score, item.reason, item.changed] = said.get(nameOf(item));
    draw();
  }

  function move(by) {
    const next = at + by;
    if (next < 0 || next >= items.length) return panel.say(by > 0 ? "This is the last turn." : "This is the first turn.");
    at = next;
    panel.say("");
    return show();
  }
  function skip() {
    const next = following();
    if (next < 0) return panel.say("No other turn is left to score.");
    panel.say(`Turn ${items[at].turn} skipped.`);
    at = next;
    return show();
  }

  container.append(el("div", { class: "progress" }, progress, count), notice, waiting,
    el("div", { class: "sides" }, el("section", { class: "said", "aria-label": "Conversation" }, said), el("div", { class: "beside" }, panel.node, others)));
  const keys = Object.fromEntries([["1", 1, "score +1: in order"], ["0", 0, "score 0: idle or flawed"],
    ["-", -1, "score −1: went wrong here"]].map(([key, value, words]) => [key, [() => score(value), words]]));
  return {
    shown: async () => {
      await show(first >= 0 || unscored > 0);
      const sent = await box.start().catch((error) => panel.say(error.message, true));
      if (sent) await afresh(); // what a closed window had left to send
    },
    dispose: () => box.stop(),
    update: ({ query }) => {
      const next = items.findIndex((item) => nameOf(item) === query.get("at"));
      if (next < 0 || Object.entries(askedFor(query)).some(([name, value]) => wanted[name] !== value)) return false;
      at = next;
      show();
      return true;
    },
    keys: {
      ...keys, j: [() => move(1), "next turn"], k: [() => move(-1), "previous turn"], ArrowRight: [() => move(1), "next turn"],
        ArrowLeft: [() => move(-1), "previous turn"],
      r: [() => panel.reason.focus(), "write a reason (Enter leaves it)"], s: [skip, "skip: to the next turn without a score"], u: [undo, "undo"],
    },
  };
}
