// A world's rules, and the stored tasks on both sides of each rule's edge.

import { written } from "toolgym/conversation.js";
import { awaited, code, el, faint, fold, plural, quiet, table } from "toolgym/dom.js";
import { columnName } from "toolgym/values.js";

/** The rules at once, the pairs when the tasks have been read. */
export function worldRules(world, source) {
  if (!world.rules.length) return quiet("This world declares no rule that a program can check; its policy says what holds.");
  const box = awaited(source.ask("/edges", { name: world.name }), ({ edges }) => (edges.length ? edges.map(of)
    : quiet("The stored tasks hold no pair; `toolgym tasks generate` draws some.")), "Reading the tasks…", { id: "edges" });
  return el("div", {}, table(["rule", "sentence", "held by", "tools", "shown by"],
    world.rules.map((rule) => [el("code", {}, columnName(rule.name)), rule.sentence,
    rule.by === "tool" ? "the tool refuses" : "the agent must", rule.on.join(", "),
    [...rule.reads, rule.remedy ? `made to hold by ${rule.remedy}` : ""].filter(Boolean).join(", ")])),
    el("h2", {}, "Both sides of an edge"), quiet("Pairs of tasks in the same words: one is just allowed, the other just refused."), box);
}

function of({ rule, data, split, pairs, shown }) {
  return fold([el("code", {}, rule), ` ${plural(pairs, "pair")} in ${data} ${split}`, pairs > shown.length
    ? faint(`, the first ${shown.length} are shown`) : null],
    shown.map((sides) => el("div", { class: "beside-one-another" }, sides.map(side))));
}

function side({ task, allowed, scenario, gold }) {
  return el("section", {}, el("h3", {}, task, " ", el("span", { class: `tag ${allowed ? "good" : "bad"}` }, allowed ? "allowed" : "refused")),
    el("p", { class: "situation" }, scenario),
    gold.map((call) => code(written(call))));
}
