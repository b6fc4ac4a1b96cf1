// The Prompt tab: what the agent was told before the first message, its tools, and the run's settings.

import { el, plural, problem, table } from "toolgym/dom.js";
import { pretty } from "toolgym/conversation.js";

function tool(each) {
  const given = each.parameters?.properties || {}, needed = new Set(each.parameters?.required || []);
  const type = (schema) => schema.type || (schema.anyOf || []).map((one) => one.type || "…").join(" or ") || (schema.enum ? "choice" : "…");
  const rows = Object.entries(given).map(([name, schema]) => [el("code", {}, name), [type(schema)].flat().join(" or "), needed.has(name) ? "yes" : "no",
    [schema.description || "", schema.enum ? `one of ${schema.enum.join(", ")}` : ""].filter(Boolean).join(" ")]);
  return el("details", { class: "tool" }, el("summary", {}, el("code", {}, each.name), " ",
    el("span", { class: "quiet" }, (each.description || "").split("\n")[0])),
    el("p", {}, each.description || ""), rows.length ? table(["argument", "type", "needed", "meaning"], rows) : el("p", { class: "quiet" },
      "It takes no argument."),
    el("details", {}, el("summary", {}, "as the agent saw it"), el("pre", { tabindex: "0" }, pretty(each))));
}

function settings(given) {
  const rows = Object.entries(given).filter(([, value]) => value !== null && value !== "" && !(typeof value === "object" && !Object.keys(value).length))
    .map(([name, value]) => [el("code", {}, name), typeof value === "object" ? el("pre", {}, pretty(value)) : String(value)]);
  return rows.length ? table(["setting", "value"], rows) : el("p", { class: "quiet" }, "No run.json tells them.");
}

/** The tab, filled once the prompt has come. */
export function prompt(load, talk) {
  const box = el("div", { "aria-busy": "true" }, el("p", { class: "quiet" }, "Loading…"));
  load().then((told) => {
    box.replaceChildren(
      el("p", {}, `agent ${talk.agent || "–"}, user ${talk.user || "nobody"}`),
      ...(told.missing ? [problem(`The prompt cannot be made again here: ${told.missing}`)] : [
        ...(told.perturbed ? [el("p", { class: "note" }, `What the agent saw was changed by ${told.perturbed.spec}: this is what stands behind it.`),
          el("details", {}, el("summary", {}, "the names it saw"), el("pre", { tabindex: "0" }, pretty(told.perturbed)))] : []),
        ...(told.ticket ? [el("h3", {}, "Ticket"), el("pre", { class: "prose", tabindex: "0" }, told.ticket)] : []),
        el("h3", {}, told.system === null ? "Policy" : "System message"), el("pre", { class: "prose policy", tabindex: "0" }, told.system ?? told.policy),
        el("h3", {}, plural(told.tools.length, "tool")), ...told.tools.map(tool)]),
      el("h3", {}, "Settings of the run"), settings(told.settings));
    box.removeAttribute("aria-busy");
  }, (error) => { box.replaceChildren(problem(error.message)); box.removeAttribute("aria-busy"); });
  return box;
}
