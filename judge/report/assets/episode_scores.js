// The Scores tab: why, the verdict in words, what broke a rule, the turns with their reasons, every reward with its parts.

import { anchor, el, faint, number, quiet, scoreMark, table } from "toolgym/dom.js";
import { meter } from "toolgym/plots.js";

const CHECKS = {
  state: ["the rows are as they should be", "The rows that the episode changed are those that a right run changes."],
  writes: ["the writing calls are right", "The successful calls that write are those of a right run."],
  communicate: ["everything was said, to the letter", "Every text that had to be said was said, by its characters."],
  assertions: ["what must hold holds", "Every assertion about the end holds."],
  handed_over: ["it was handed over as it must be", "A right run hands the conversation to a human."],
  answer: ["the answer is right", "The program came to the task's answer."],
  needs_write: ["something had to be changed", "A right run changes rows."],
  orderly: ["it came to its own end", "It was not cut off."],
  told: ["everything was told, by its meaning", "What had to be told was told, and what had to be refused was refused."],
  reason_given: ["the reason of a refusal was given", "Where something had to be refused."],
};
const MARKS = { true: ["good", "yes"], false: ["bad", "no"] };

function verdict(talk) {
  const checks = Object.entries(talk.verdict).map(([name, value]) => [CHECKS[name] || [name.replaceAll("_", " "), ""], value, name]);
  const rows = checks.filter(([, value]) => value !== null).map(([[words, meaning], value, name]) => {
    const [mark, said] = MARKS[String(value)] || ["", String(value)];
    return [el("span", { title: meaning }, words), el("b", { class: name === "needs_write" ? null : mark }, said)];
  });
  const rest = checks.filter(([, value]) => value === null).map(([[words]]) => words);
  return rows.length ? [table(["check", "holds"], rows), rest.length ? quiet(`Does not apply: ${rest.join("; ")}.`) : null] : quiet("There is no verdict.");
}

function reward(name, { total, components, turns }) {
  const parts = Object.entries(components || {}), most = Math.max(1e-9, Math.abs(total), ...parts.map(([, value]) => Math.abs(value)));
  const line = (label, value, kind) => el("tr", { class: kind }, el("th", { scope: "row" }, label),
    el("td", {}, meter(Math.abs(value) / most, number(value), { kind: value < 0 ? "minus" : "plus" })), el("td", { class: "n" }, number(value)));
  return el("section", { class: "reward", id: `reward-${name}` }, el("table", {}, el("caption", {}, `${name} reward`),
    el("tbody", {}, line("total", total, "total"), parts.map(([part, value]) => line(part.replaceAll("_", " "), value, "part")))),
  turns ? quiet(`by turn: ${turns.map((value) => number(value, 2)).join(", ")}`) : null);
}

/** The tab; `href` makes a turn's address. */
export function scores(talk, href) {
  const at = (turn) => anchor(`turn ${turn}`, href(turn));
  const rewards = Object.entries(talk.rewards || {}), judged = talk.scores || [];
  const stated = talk.nl_assertions;
  return el("div", {},
    el("h3", {}, "Why"), el("ul", { class: "why" }, talk.why.map((sentence) => el("li", {}, sentence))),
    el("h3", {}, `Verdict, by ${talk.basis}`), verdict(talk),
    el("h3", {}, "Rules broken"),
    talk.violations.length ? el("ul", {}, talk.violations.map((each) => el("li", {}, at(each.turn),
      el("b", { class: "bad" }, ` ${each.kind.replaceAll("_", " ")} `), el("code", {}, each.rule), ` ${each.sentence}`))) : quiet("None."),
    el("h3", {}, `Turn scores${talk.judge ? ` by the judge ${talk.judge}` : ""}`),
    judged.length ? table(["turn", "score", "reason"], judged.map((score, turn) =>
      [at(turn), el("b", { class: scoreMark(score) }, String(score)), (talk.reasons || [])[turn] ||
      faint(score === 1 ? "advances the case" : "–")]))
      : quiet((talk.reasons || [])[0] || "The turns were not judged; `toolgym judge` scores them."),
    stated ? [el("h3", {}, "Statements"), stated.holds ? table(["holds", "why"],
      stated.holds.map((holds, place) => [holds ? "yes" : "no", stated.reasons[place]])) : el("p", {}, stated.reasons[0])] : null,
    el("h3", {}, "Rewards"), rewards.length ? rewards.map(([name, found]) => reward(name, found)) : quiet("None was computed."),
    talk.recorded ? [el("h3", {}, `As recorded by ${talk.recorded.source}`),
      el("p", {}, `reward ${number(talk.recorded.reward)}; ${talk.recorded.ending}`)] : null,
    usage(talk));
}

function usage(talk) {
  return talk.usage.length && [el("h3", {}, "Tokens and cost"), table(["role", "requests", "prompt", "completion", "dollars"],
    talk.usage.map((use) => [use.role, String(use.requests), String(use.prompt_tokens), String(use.completion_tokens), number(use.dollars, 4)]), [1, 2, 3, 4])];
}
