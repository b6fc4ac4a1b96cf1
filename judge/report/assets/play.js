// Play: a conversation in which the person is one of the sides (#/play/ID), and what is chosen before it (#/play).
// Only with the server (toolgym/viewer/play/routes.py), which keeps what was said: a reload, or another window, finds it again.

import { conversation, markPicked, pretty, written } from "toolgym/conversation.js";
import { anchor, announce, code, duration, el, faint, form, path, pre, press, problem, quiet, searching, table, tag } from "toolgym/dom.js";
import { result } from "toolgym/episode.js";
import { database } from "toolgym/episode_database.js";
import { scores } from "toolgym/episode_scores.js";
import { microphone, player } from "toolgym/play_speech.js";
import { people, setup, sideFields } from "toolgym/play_setup.js";
import { link } from "toolgym/router.js";
import { toolForm } from "toolgym/tool_form.js";
import { changedRows, value } from "toolgym/values.js";

const NAMES = { agent: "the agent", user: "the customer" };
const STOP = "###STOP###";

export async function render(container, params, source) {
  return params.conversation === undefined ? setup(container, params, source) : playing(container, params.conversation, source);
}

/** What the person may see of a conversation: not what the other side thinks and calls, unless it is asked for. */
function visible(talk, mine, all) {
  if (all || mine.length !== 1) return talk;
  const speaker = mine[0] === "agent" ? "assistant" : "user", hidden = new Set(), messages = [];
  for (const message of talk.messages) {
    const own = message.role === speaker;
    if (message.role === "tool" && hidden.has(message.answers)) continue;
    if (!own && message.calls) message.calls.forEach((call) => hidden.add(call.id));
    if (own || message.role === "tool") messages.push(message);
    else if (!message.calls || message.text) messages.push({ ...message, calls: [], thoughts: null });
  }
  return { ...talk, messages };
}

async function playing(container, id, source) {
  const [known, hints, first] = await Promise.all([source.ask("/play/players"), source.ask("/play/hints", { id }), source.ask("/play/state", { id })]);
  let state = first, picked = null, heard = -1, clock = null, closed = false;
  const post = async (path, sent = {}) => take(await source.ask(`/play/${path}`, { id }, sent));
  const tell = (act) => async (...given) => { try { said.replaceChildren(); await act(...given); } catch (error) { said.replaceChildren(problem(error.message));
    } };
  const reseat = (side, by) => tell(() => post("seat", { side, by }));
  const mine = () => Object.entries(state.sides).filter(([, side]) => side?.by === "hand").map(([name]) => name);

  // --- the conversation ---
  const head = el("div", {}), notes = el("div", {}), talked = el("div", { role: "log", "aria-label": "What was said", "aria-live": "off" }),
    said = el("div", {});
  const all = el("input", { type: "checkbox", id: "all", onchange: () => draw() }), allLabel = el("label", { class: "quiet" }, all,
    " show what the other side thinks and calls");
  const text = el("textarea", { id: "message", rows: 2, maxlength: 20000,
    onkeydown: (event) => { if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); } } });
  const send = tell(async (goodbye = false) => {
    const words = text.value.trim();
    if (!words && !goodbye) return text.focus();
    await post("move", { text: words, goodbye });
    text.value = "";
    text.focus();
  });
  const sendButton = el("button", { type: "submit", class: "main" }, "Send"), bye = press("Say goodbye", () => send(true)),
    stop = press("End here", tell(() => post("end")));
  const words = el("label", { for: "message" }), mic = microphone(source, known.speech,
    (found) => { text.value = text.value.trim() ? `${text.value.trim()} ${found}` : found; text.focus(); });
  const composer = form(send, { class: "composer" }, words, text,
    el("div", { class: "tools" }, sendButton, bye, stop, mic), quiet("Enter sends, Shift and Enter begins a line."));
  const wrong = el("input", { id: "wrong", maxlength: 20000, autocomplete: "off" }),
    answer = (approved) => tell(async () => { await post("approve", { approved, sentence: approved ? "" : wrong.value.trim() }); wrong.value = ""; });
  const asked = pre(), yes = el("button", { type: "button", class: "main", onclick: answer(true) }, "Approve");
  const dialog = el("section", { class: "composer", id: "approval", role: "group", "aria-label": "A call is about to be made" },
    el("b", {}, "Do you approve this call?"), asked, el("label", { for: "wrong" }, "What is wrong, if you decline"), wrong,
    el("div", { class: "tools" }, yes, press("Decline", answer(false))));
  const thinking = el("div", { class: "thinking", role: "status" }), loud = player(source, known.speech, id);
  const aside = el("section", { class: "beside", "aria-label": "At hand" }), latest = el("div", {}), atHand = el("div", {}),
    who = el("details", { class: "who" });
  aside.append(latest, atHand, who);
  container.append(head, notes, el("div", { class: "sides" }, el("section", { class: "said", "aria-label": "Conversation" }, talked, thinking, said, dialog,
    composer, el("div", { class: "tools" }, allLabel, loud.node)), aside));
  let shownFor = "";

  function draw() {
    const talk = state.talk, sides = mine(), seen = visible(talk, sides, all.checked || state.over);
    head.replaceChildren(...heading());
    notes.replaceChildren(...[...state.notes, state.unkept ? `${state.unkept} What is said is lost when the server stops, unless it is saved.` : "",
      state.fault].filter(Boolean).map((words) => el("p", { class: "note" }, words)));
    const open = new Set([...talked.querySelectorAll(".call details[open]")].map((each) => each.closest(".call").id));
    const box = conversation(seen, (number) => { picked = picked === number ? null : number; draw(); }, () => location.hash);
    if (!talk.messages.length) box.replaceChildren(quiet(state.due === "user" ? "You speak first." : "Nothing was said yet."));
    const calls = [...box.querySelectorAll(".call")], lastCall = talk.messages.at(-1)?.role === "tool" ? calls.at(-1) : null;
    for (const call of calls) if (call === lastCall || open.has(call.id)) call.querySelector("details")?.setAttribute("open", "");
    for (const each of box.querySelectorAll(".turnhead a")) each.replaceWith(el("span", {}, each.textContent));
    markPicked(box, picked);
    markOrigin(box, sides);
    talked.replaceChildren(box);
    allLabel.hidden = state.over || sides.length !== 1;
    wait();
    compose();
    latest.replaceChildren(...(state.over ? [ended()] : lastChanges(seen)));
    const key = `${sides.join()} ${state.over}`;
    aside.classList.toggle("first", !state.over && sides.join() === "user"); // who does not know yet what to say
    if (key !== shownFor) { shownFor = key; atHand.replaceChildren(...hand(sides)); seating(); }
  }

  /** Where the record ends that one goes on from. */
  function markOrigin(box, sides) {
    const { origin, talk } = state;
    if (!origin) return;
    const turns = talk.messages.flatMap((message, place) => (message.role === "assistant" ? [place] : [])),
      before = talk.messages.slice(0, turns[origin.turn] ?? talk.messages.length);
    const shown = visible({ ...talk, messages: before }, sides, all.checked || state.over).messages.filter((message) => message.role === "assistant").length;
    const mark = el("p", { class: "record-ends", id: "record-ends" }, `the record of ${origin.run} ends before turn ${origin.turn}`),
      next = box.querySelector(`#turn-${shown}`);
    if (next) next.before(mark); else box.append(mark);
  }

  function heading() {
    const talk = state.talk, other = Object.entries(state.sides).filter(([, side]) => side && side.by === "player").map(([name, side]) =>
      `${side.name} plays ${NAMES[name]}`), own = mine(), { origin } = state;
    const [mark, words] = result(talk), from = !origin ? [] : [[`${origin.run}, turn ${origin.turn}`,
      link.episode(origin.run, origin.task, origin.trial, { turn: origin.turn || null })]];
    return [path(["play", link.play()], ...from),
      el("h1", {}, talk.task, " ", state.over && !state.fault ? el("b", { id: "result", class: mark }, words) : null),
      quiet([state.title, state.over ? `the agent: ${talk.agent || "–"}, the customer: ${talk.user || "–"}` : own.length
        ? `you are ${own.map((side) => NAMES[side]).join(" and ")}` : "you look on", ...(state.over ? [] : other)].join(" · "))];
  }

  function wait() {
    const busy = Object.entries(state.sides).find(([, side]) => side?.since), stuck = Object.entries(state.sides).find(([, side]) => side?.problem);
    clearInterval(clock);
    if (busy) {
      const [side, seat] = busy, seconds = el("span", { "aria-hidden": "true" }),
        tick = () => { seconds.textContent = ` ${duration(Math.max(0, Math.round(Date.now() / 1000 - seat.since)))}`; };
      tick();
      clock = setInterval(tick, 1000);
      thinking.replaceChildren(el("span", { class: "dots", "aria-hidden": "true" }), el("span", {}, `${seat.name} thinks as ${NAMES[side]}`), seconds, " ",
        press("Stop", reseat(side, "hand")));
    } else if (stuck && !state.over) {
      const [side, seat] = stuck;
      thinking.replaceChildren(problem(seat.problem, el("p", {}, press("Try again", reseat(side, "player")),
        ` or go on by hand as ${NAMES[side]}.`)));
    } else thinking.replaceChildren();
  }

  function compose() {
    dialog.hidden = !state.pending;
    if (state.pending) asked.textContent = `${state.pending.tool} ${pretty({ arguments: state.pending.arguments, rows: state.pending.rows })}`;
    composer.hidden = state.over || !mine().length || Boolean(state.pending);
    const due = state.due;
    sendButton.disabled = bye.disabled = !due;
    words.textContent = due ? `You speak as ${NAMES[due]}` : "It is not your move yet";
    bye.hidden = (due || mine()[0]) !== "user";
    stop.hidden = (due || mine()[0]) !== "agent";
  }

  // --- beside it ---
  function lastChanges(seen) {
    const shown = new Set(seen.messages.flatMap((message) => (message.calls || []).map((call) => call.number)));
    const number = picked ?? [...shown].filter((each) => each !== null).sort((one, two) => one - two).at(-1),
      call = shown.has(number) ? state.talk.calls[number] : null;
    if (!call) return [];
    const rows = call.changes || [];
    return [el("h2", {}, `Call ${number}`), code(written(call)), rows.length ? changedRows("Rows that it changed", rows)
      : quiet(call.error === null ? "It changed no row." : `It was refused (${call.error}) and changed no row.`)];
  }

  function hand(sides) {
    const found = [];
    if (state.over) return found;
    const call = (tool) => (given) => post("move", { tool: tool.name, arguments: given });
    if (sides.includes("agent")) {
      const filter = searching("Search tools", (words) => hints.tools.forEach(({ name, description }, place) => {
        forms[place].hidden = !`${name} ${description}`.toLowerCase().includes(words.toLowerCase()); }));
      const forms = hints.tools.map((tool) => toolForm(tool, call(tool), hints.kinds[tool.name] === "write" ? tag("write") : null));
      found.push(el("details", { class: "hint", id: "policy" }, el("summary", {}, "The policy"), el("pre", { class: "prose", tabindex: "0" }, hints.policy)),
        hints.profile ? el("details", { class: "hint", open: true }, el("summary", {}, "The customer's profile"), pre(pretty(hints.profile))) : null,
        hints.ticket ? el("details", { class: "hint", open: true }, el("summary", {}, "The ticket"), el("p", {}, hints.ticket)) : null,
        el("h2", {}, "Tools"), el("div", { class: "filters" }, filter), ...forms);
    }
    if (sides.includes("user")) {
      found.push(el("section", { class: "situation", id: "situation" }, el("h2", {}, "Your situation"), el("p", {}, hints.situation),
        hints.persona ? el("p", {}, faint("Your manner: "), hints.persona) : null,
        hints.facts.length ? table(["what you know", "", ""],
          hints.facts.map(([name, fact, asked]) => [name, value(fact), asked ? "tell it when asked" : ""])) : null),
        hints.user_tools.length ? [el("h2", {}, "Your own tools"), ...hints.user_tools.map((tool) => toolForm({ ...tool, by: "user" }, call(tool)))] : null);
    }
    return found.flat().filter(Boolean);
  }

  function seating() {
    who.hidden = state.over;
    if (state.over) return;
    const rows = Object.entries(state.sides).filter(([, side]) => side).map(([side, seat]) => {
      const fields = sideFields(side, people(side === "agent" ? known.agents : known.users, side, true), seat.name.split(":")[0] || "human",
        known.models[side]);
      return form(tell(() => post("seat", { side, given: fields.read() })), {}, fields.node, el("button", { type: "submit" }, "seat"), " ",
        seat.by === "player" ? press("take over by hand", reseat(side, "hand"))
          : seat.name ? press(`let ${seat.name} go on`, reseat(side, "player")) : null);
    });
    who.replaceChildren(el("summary", {}, "Who plays"), ...rows);
  }

  function ended() {
    if (state.fault) return el("div", {});
    const talk = state.talk, [mark] = result(talk),
      place = el("input", { id: "folder", value: known.folder, autocomplete: "off", spellcheck: "false" });
    const save = form(tell(() => post("save", { folder: place.value.trim() || known.folder })), { class: "tools" },
      el("label", { for: "folder" }, "Save below"), place, el("button", { type: "submit", class: "main" }, "Save"));
    const saved = ({ run, task, trial }) => el("p", { id: "saved" }, "Saved as ", anchor(`${run}, trial ${trial}`, link.episode(run, task, trial)), ".");
    return el("div", {}, el("div", { class: `verdict ${mark}`, id: "why" }, talk.why.map((sentence) => el("p", {}, sentence))),
      state.saved ? saved(state.saved) : save,
      known.kept ? null : el("p", { class: "note" }, "This folder was made of a file and goes when the server ends; download the record to keep it."),
      el("p", {}, el("a", { href: `api/play/record?id=${encodeURIComponent(id)}`, download: "" }, "download the record")),
      el("details", { class: "hint", open: true }, el("summary", {}, "The rows"), database(talk, null)),
      el("details", { class: "hint" }, el("summary", {}, "Verdict and rules"), scores(talk, () => location.hash)),
      el("details", { class: "hint" }, el("summary", {}, "What it was about"), el("p", {}, talk.scenario),
        talk.gold.map((call) => code(written(call)))));
  }

  // --- as it grows ---
  function take(next) {
    if (closed || (next.since === state.since && next.version <= state.version)) return;
    const before = state.talk.messages.length, own = mine();
    state = next;
    draw();
    const news = state.talk.messages.slice(before).map((message, place) => ({ ...message, place: before + place })).filter((message) => message.text &&
      message.role !== "tool");
    for (const message of news) {
      const from = message.role === "assistant" ? "agent" : "user";
      if (own.length === 1 && from === own[0]) continue;
      announce(`${NAMES[from]}: ${message.text.replace(STOP, "")}`);
      if (message.place > heard) { heard = message.place; loud.speak(message.place); }
    }
    if (state.talk.messages.length > before) [...talked.querySelectorAll(".say, .call")].at(-1)?.scrollIntoView({ block: "nearest" });
    if (state.over) announce(`It is over: ${container.querySelector("#result")?.textContent || state.fault}`);
  }
  const unfollow = source.watchPlay(id, state.version, take);
  draw();
  return {
    shown: () => { if (!state.over) talked.querySelector("#record-ends")?.scrollIntoView({ block: "center" });
      if (!composer.hidden && matchMedia("(min-width: 1000px)").matches) text.focus({ preventScroll: true }); },
    dispose: () => { closed = true; unfollow(); clearInterval(clock); },
    keys: { m: [() => text.focus(), "write a message"] },
  };
}
