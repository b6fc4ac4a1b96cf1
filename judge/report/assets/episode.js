// One episode: the conversation, beside it the database, the scores, the prompt, the graph of calls and the raw record.
// Its address: ?turn= and ?call= (a number of the log; -1 is before the first) and ?tab=.

import { graphs } from "toolgym/call_graph.js";
import { conversation, markPicked, situation } from "toolgym/conversation.js";
import { anchor, announce, awaited, copy, duration, el, faint, path, plural, pre, press, problem, quiet, saving } from "toolgym/dom.js";
import { database } from "toolgym/episode_database.js";
import { prompt } from "toolgym/episode_prompt.js";
import { scores } from "toolgym/episode_scores.js";
import { go, link, setQuery } from "toolgym/router.js";

const TABS = { database: "Database", scores: "Scores", prompt: "Prompt", graph: "Graph", raw: "Raw" };

export const title = (params) => `${params.task}, trial ${params.trial}`;

export const result = (talk) => (talk.fault ? ["mid", "left out"] : talk.passed === null || talk.passed === undefined ? ["quiet", "not scored"] : !talk.passed
  ? ["bad", "failed"] : talk.clean ? ["good", "clean pass"] : ["good", "passed"]);

/** What an address asks for, and what of it there is not. */
function wanted(query, talk) {
  const asked = { turn: query.get("turn"), call: query.get("call"), tab: query.get("tab") ?? "database" };
  const turns = talk.messages.filter((message) => message.role === "assistant").length, missing = [];
  const whole = (name, least, count, what) => {
    if (asked[name] === null) return null;
    const number = Number(asked[name]);
    if (Number.isInteger(number) && number >= least && number < count) return number;
    missing.push(`There is no ${what} ${asked[name]} in this episode; ${count ? `it has 0 to ${count - 1}` : "it has none"}.`);
    return null;
  };
  const found = { turn: whole("turn", 0, turns, "turn"), call: whole("call", -1, talk.calls.length, "call"), tab: asked.tab };
  found.row = query.get("row");
  if (found.row !== null && !talk.rows.some(({ key }) => String(key[0]) === found.row)) {
    missing.push(`No row with the id ${found.row} is known in this episode.`);
    found.row = null;
  }
  if (!(asked.tab in TABS)) {
    missing.push(`There is no tab ${asked.tab}; there are ${Object.keys(TABS).join(", ")}.`);
    found.tab = "database";
  }
  return { ...found, missing, turns };
}

function heading(params, talk, href) {
  const [mark, words] = result(talk);
  const facts = [talk.domain, talk.family, talk.difficulty, talk.depth ? `depth ${talk.depth}` : "", talk.interaction === "dialogue" ? "" : talk.interaction,
    talk.modality === "speech" ? "spoken" : "", talk.consent === "call" ? "each change approved" : "", `agent ${talk.agent || "–"}`,
    plural(talk.calls.length, "call"), duration(talk.timing.total)];
  return [
    path(["runs", link.runs()], [params.run, link.run(params.run)]),
    el("h1", {}, talk.task, faint(` trial ${talk.trial} `), el("b", { class: mark, id: "result" }, words)),
    quiet(facts.filter(Boolean).join(" · ")),
    el("div", { class: `verdict ${mark}`, id: "why" }, talk.why.map((sentence, place) => el("p", {}, sentence, !place && talk.turn !== null
      ? [" ", anchor("go there", href({ turn: talk.turn }))] : null))),
  ];
}

export async function render(container, params, source) {
  const talk = await source.episode(params.run, params.task, params.trial);
  const href = (values) => link.episode(params.run, params.task, params.trial, { ...now(), ...values });
  let state = { turn: null, call: null, tab: null, row: null }, drawn = {};
  const now = () => ({ ...state, tab: state.tab === "database" ? null : state.tab });
  const choose = (values) => { state = { ...state, ...values }; apply(setQuery(now())); };
  const pick = (call) => choose({ call: state.call === call ? null : call, row: null });

  const one = { run: params.run, task: params.task, trial: params.trial };
  const said = conversation(talk, pick, (turn) => href({ turn }), { row: (row) => href({ row, tab: null }),
    fork: source.writable ? (turn) => link.play(null, { from: link.part(one), turn }) : null });
  const notice = el("div", { id: "notice" });
  const panels = Object.fromEntries(Object.keys(TABS).map((name) =>
    [name, el("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0", hidden: true })]));
  const tabs = Object.entries(TABS).map(([name, words]) => el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
    "aria-selected": "false", onclick: () => choose({ tab: name }), onkeydown: walk }, words));
  function walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
  }

  const last = talk.calls.length;
  const place = () => (state.call === null ? last + 1 : state.call + 1);
  const slider = el("input", { type: "range", id: "scrubber", min: 0, max: last + 1, value: last + 1, "aria-label": "Calls: what the database was after each",
    oninput: () => moveTo(Number(slider.value)) });
  const at = el("output", { for: "scrubber", id: "at" });
  const moveTo = (to) => { const call = Math.max(-1, Math.min(last, to - 1)); choose({ call: call === last ? null : call, row: null }); bring(); };
  const step = (by, words) => el("button", { type: "button", "aria-label": words, title: words, onclick: () => moveTo(place() + by) }, by < 0 ? "‹" : "›");
  const scrubber = el("div", { class: "scrubber" }, step(-1, "previous call"), slider, step(1, "next call"), at);
  const where = () => (state.call === null ? "the end" : state.call < 0 ? "before the first call"
    : `after call ${state.call} (${state.call + 1} of ${last}): ${talk.calls[state.call].name}`);

  const copied = press("copy the address", () => copy(location.href, copied));
  const file = source.exported({ episode: [link.part(one)] });
  const tools = [press("‹ previous failure", () => failure(-1)), press("next failure ›", () => failure(1)),
    el("a", { href: link.compareEpisodes([one]), id: "compare" }, "compare"), copied, saving(file)];
  container.append(...heading(params, talk, href), el("div", { class: "tools" }, tools), notice, el("div", { class: "sides" },
    el("section", { class: "said", "aria-label": "Conversation" }, situation(talk), said),
    el("section", { class: "beside", "aria-label": "Database, scores, prompt, graph, raw" }, scrubber,
      el("div", { role: "tablist", "aria-label": "About this episode" }, tabs), Object.values(panels))));

  const fill = {
    database: () => database(talk, state.call, state.row), scores: () => scores(talk, (turn) => href({ turn })), graph: () => graphs(talk, pick), raw,
    prompt: () => prompt(() => source.prompt(params.run, params.task, params.trial), talk),
  };
  function raw() {
    return awaited(source.record(params.run, params.task, params.trial), (record) => {
      const text = JSON.stringify(record, null, 2), button = press("copy", () => copy(text, button));
      return [quiet(source.live ? "The record as trajectories.jsonl has it, and its line of scores.jsonl."
        : "What this page was told; the record is in the run's trajectories.jsonl."), button, pre(text)];
    });
  }

  function apply(query) {
    const { missing, turns: _, ...next } = wanted(query, talk);
    state = next;
    notice.replaceChildren(...missing.map((text) => problem(text)));
    for (const each of container.querySelectorAll(".turn.here")) each.classList.remove("here");
    if (state.turn !== null) said.querySelector(`#turn-${state.turn}`).classList.add("here");
    markPicked(said, state.call);
    slider.value = place();
    slider.setAttribute("aria-valuetext", where());
    at.textContent = where();
    tabs.forEach((tab) => { const mine = tab.id === `tab-${state.tab}`; tab.setAttribute("aria-selected", String(mine)); tab.tabIndex = mine ? 0 : -1; });
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== state.tab;
    const key = state.tab === "database" ? `call ${state.call} ${state.row}` : "once";
    if (drawn[state.tab] !== key) { drawn[state.tab] = key; panels[state.tab].replaceChildren(fill[state.tab]()); }
  }

  /** Bring what is selected into sight. */
  function bring() {
    said.querySelector(".call.picked")?.scrollIntoView({ block: "nearest" });
  }
  function toTurn(turn) {
    choose({ turn });
    said.querySelector(`#turn-${turn}`).scrollIntoView({ block: "start" });
  }
  function turnBy(by) {
    const count = wanted(setQuery({}), talk).turns;
    if (count) toTurn(Math.max(0, Math.min(count - 1, state.turn === null ? (by > 0 ? 0 : count - 1) : state.turn + by)));
  }
  async function failure(by) {
    const { rows: every } = await source.table(params.run), mine = every.findIndex((row) => row.task === params.task && row.trial === params.trial);
    for (let next = mine + by; next >= 0 && next < every.length; next += by)
      if (every[next].passed === false) return go(link.episode(params.run, every[next].task, every[next].trial, state.tab === "database" ? {}
        : { tab: state.tab }));
    announce(by > 0 ? "No later episode failed." : "No earlier episode failed.");
    notice.replaceChildren(el("p", { class: "note" }, by > 0 ? "No later episode of this run failed." : "No earlier episode of this run failed."));
  }

  return {
    shown: () => {
      apply(params.query);
      if (state.turn !== null) said.querySelector(`#turn-${state.turn}`).scrollIntoView({ block: "start" });
      else bring();
    },
    update: ({ query }) => {
      const before = state.turn, row = state.row;
      apply(query);
      if (state.row !== null && state.row !== row) panels.database.scrollIntoView({ block: "nearest" });
      if (state.turn !== null && state.turn !== before) said.querySelector(`#turn-${state.turn}`).scrollIntoView({ block: "start" });
    },
    keys: {
      j: [() => turnBy(1), "next turn"], k: [() => turnBy(-1), "previous turn"],
      "]": [() => moveTo(place() + 1), "next call"], "[": [() => moveTo(place() - 1), "previous call"],
      n: [() => failure(1), "next failure"], p: [() => failure(-1), "previous failure"],
      ...Object.fromEntries(Object.entries(TABS).map(([name, words], number) => [String(number + 1), [() => choose({ tab: name }), words.toLowerCase()]])),
      c: [() => copy(location.href, copied), "copy the address"],
    },
  };
}
