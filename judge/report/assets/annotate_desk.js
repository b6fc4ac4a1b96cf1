// The desk beside a conversation: three scores, a reason, where to go, and afterwards what the others say.

import { anchor, el, quiet, scoreMark, table } from "toolgym/dom.js";
import { link } from "toolgym/router.js";

export const SCORES = [
  { score: 1, key: "1", sign: "+1", words: "in order", meaning: "The turn advances the case, and breaks no rule." },
  { score: 0, key: "0", sign: "0", words: "idle or flawed", meaning: "It brings nothing, or has a flaw that did not decide the outcome." },
  { score: -1, key: "-", sign: "−1", words: "went wrong here",
    meaning: "The main cause of a wrong end, or the worst breach of a rule. At most one turn of a conversation has it." },
];
export const signed = (score) => (score === null || score === undefined ? "–" : score < 0 ? "−1" : score ? "+1" : "0");
export const mark = (score) => el("b", { class: scoreMark(score) }, signed(score));

/** The desk: `score(value)`, `reasoned()`, `move(by)`, `skip()` and `undo()` are what its buttons do. */
export function desk({ score, reasoned, move, skip, undo }) {
  const heading = el("h2", {}), standing = el("p", { class: "quiet standing" });
  const choices = SCORES.map((each) => el("button", { type: "button", class: `choice ${scoreMark(each.score)}`, id: `score-${each.score}`, title: each.meaning,
    "aria-pressed": "false", onclick: () => score(each.score) },
    el("b", {}, each.sign), el("span", {}, each.words), el("kbd", { "aria-hidden": "true" }, each.key)));
  const reason = el("input", { id: "reason", maxlength: 2000, autocomplete: "off", placeholder: "Why? (kept with the score)",
    onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); reason.blur(); reasoned(); } } });
  const button = (id, words, key, act) => el("button", { type: "button", id, onclick: act }, words, el("kbd", { "aria-hidden": "true" }, key));
  const back = button("undo", "undo ", "u", undo), said = el("p", { id: "said", role: "status" });
  const node = el("section", { class: "scoring", "aria-label": "Score this turn" }, heading, standing,
    el("div", { class: "choices", role: "group", "aria-label": "Score" }, choices),
    el("label", { class: "field" }, el("span", {}, "Reason ", el("kbd", { "aria-hidden": "true" }, "r")), reason),
    el("div", { class: "tools" }, button("previous", "‹ previous ", "k", () => move(-1)), button("next", "next › ", "j", () => move(1)),
      button("skip", "skip ", "s", skip), back), said,
    el("details", { class: "meaning" }, el("summary", {}, "What the scores mean"),
      SCORES.map((each) => el("p", {}, mark(each.score), ` ${each.meaning}`))));
  return {
    node, reason,
    say: (text, wrong = false) => { said.className = wrong ? "bad" : "quiet"; said.textContent = text; },
    /** Show a turn of the queue; `standing` is a sentence about it. */
    show(item, text, undoable) {
      heading.textContent = `Turn ${item.turn}`;
      standing.textContent = text;
      reason.value = item.reason;
      choices.forEach((choice, place) => choice.setAttribute("aria-pressed", String(item.score === SCORES[place].score)));
      back.disabled = !undoable;
    },
    able(can) { for (const each of node.querySelectorAll("button, input")) each.disabled = !can; },
  };
}

/** What the others say of an episode's turns, beside one's own scores; `here`: it is the one that is in sight. */
export function told(found, run, here) {
  const hidden = here ? null : quiet(
    "What judges and other annotators say of this conversation is shown once all its turns that you are asked for are scored.");
  if (!found) return hidden;
  const { told: said, items } = found, [{ task, trial }] = items;
  const voices = [...Object.entries(said.judges).map(([name, scores]) => [`judge ${name}`, scores]), ...Object.entries(said.people)];
  const reasons = (item) => voices.map(([name, scores]) => (scores[item.turn]?.[1] ? `${name}: ${scores[item.turn][1]}` : "")).filter(Boolean).join(" · ");
  const given = (item, score) => (score === undefined ? "–" : [mark(score), score === item.score ? "" : " differs"]);
  return el("div", {}, hidden, el("h2", {}, here ? "What the others say" : "What the others say of the one before"),
    el("p", {}, anchor(`${task}, trial ${trial}`, link.episode(run, task, trial)), said.passed === null || said.passed === undefined ? ""
      : [" ", el("b", { class: said.passed ? "good" : "bad" }, said.passed ? "passed" : "failed")]),
    table(["turn", "you", ...voices.map(([name]) => name), "why"],
      items.map((item) => [String(item.turn), mark(item.score), ...voices.map(([, scores]) => given(item, scores[item.turn]?.[0])), reasons(item)])));
}
