// The Prompt tab: what the agent was told before the first message, its tools, and the run's settings.

import { awaited, el, faint, fold, plural, pre, problem, quiet, table } from "toolgym/dom.js";
import { pretty } from "toolgym/conversation.js";

function tool(each) {
  const given = each.parameters?.properties || {}, needed = new Set(each.parameters?.required || []);
  const type = (schema) => schema.type || (schema.anyOf || []).map((one) => one.type || "…").join(" or ") || (schema.enum ? "choice" : "…");
  const rows = Object.entries(given).map(([name, schema]) => [el("code", {}, name), [type(schema)].flat().join(" or "), needed.has(name) ? "yes" : "no",
    [schema.description || "", schema.enum ? `one of ${schema.enum.join(", ")}` : ""].filter(Boolean).join(" ")]);
  return el("details", { class: "tool" }, el("summary", {}, el("code", {}, each.name), " ", faint((each.description || "").split("\n")[0])),
    el("p", {}, each.description || ""), rows.length ? table(["argument", "type", "needed", "meaning"], rows) : quiet("It takes no argument."),
    fold("as the agent saw it", pre(pretty(each))));
}

function settings(given) {
  const rows = Object.entries(given).filter(([, value]) => value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length))
    .map(([name, value]) => [el("code", {}, name), typeof value === "object" ? el("pre", {}, pretty(value)) : String(value)]);
  return rows.length ? table(["setting", "value"], rows) : quiet("No run.json tells them.");
}

/** The tab, filled once the prompt has come. */
export function prompt(load, talk) {
  return awaited(load(), (told) => [
    el("p", {}, `agent ${talk.agent || "–"}, user ${talk.user || "nobody"}`),
    told.missing ? problem(`The prompt cannot be made again here: ${told.missing}`) : [
      told.perturbed ? [el("p", { class: "note" }, `What the agent saw was changed by ${told.perturbed.spec}: this is what stands behind it.`),
        fold("the names it saw", pre(pretty(told.perturbed)))] : null,
      told.ticket ? [el("h3", {}, "Ticket"), el("pre", { class: "prose", tabindex: "0" }, told.ticket)] : null,
      el("h3", {}, told.system === null ? "Policy" : "System message"), el("pre", { class: "prose policy", tabindex: "0" }, told.system ?? told.policy),
      el("h3", {}, plural(told.tools.length, "tool")), told.tools.map(tool)],
    el("h3", {}, "Settings of the run"), settings(told.settings)]);
}
