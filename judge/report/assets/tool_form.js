// A form for a tool, made of its JSON schema: a field for each argument, checked before it is sent.

import { el, faint, form, problem } from "toolgym/dom.js";

const KIND = { integer: "a whole number", number: "a number", boolean: "true or false", array: "a JSON list, such as [\"a\", \"b\"]",
  object: "a JSON object, such as {\"name\": \"value\"}" };

const kindsOf = (schema) => [schema.type, ...(schema.anyOf || []).map((each) => each.type)].flat().filter(Boolean);

/** What a typed text stands for; undefined where it is left out. Throws a sentence where it does not fit. */
function read(name, schema, needed, text) {
  const kinds = kindsOf(schema).filter((kind) => kind !== "null");
  if (text === "") {
    if (needed) throw new Error(`${name} is needed.`);
    return undefined;
  }
  if (schema.enum) return schema.enum.find((each) => String(each) === text);
  if (kinds.includes("string") || !kinds.length) return text;
  const wanted = kinds.map((kind) => KIND[kind] || kind).join(" or ");
  let value;
  try { value = JSON.parse(text); } catch { throw new Error(`${name} takes ${wanted}; this cannot be read.`); }
  const is = Array.isArray(value) ? "array" : typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;
  if (!kinds.includes(is) && !(is === "integer" && kinds.includes("number"))) throw new Error(`${name} takes ${wanted}.`);
  return value;
}

/** A field for an argument; empty ones that are not needed are left out of the call. */
function field(name, schema, needed, id) {
  const kinds = kindsOf(schema), choices = schema.enum || (kinds.includes("boolean") ? ["true", "false"] : null), json = kinds.includes("array") ||
    kinds.includes("object");
  const given = { id, name, "aria-required": needed ? "true" : null, "aria-describedby": `${id}-wrong`, autocomplete: "off", spellcheck: "false" };
  const input = choices ? el("select", given, el("option", { value: "" }, "–"), choices.map((each) => el("option", { value: String(each) }, String(each))))
    : json ? el("textarea", { ...given, rows: 2, placeholder: kinds.includes("array") ? "[…]" : "{…}" }) : el("input",
      { ...given, inputmode: kinds.includes("string") || !kinds.length ? null : "decimal" });
  const wrong = el("span", { class: "bad", id: `${id}-wrong` });
  const item = schema.items?.type, each = item === "object" ? `an object with ${Object.keys(schema.items.properties || {}).join(", ")}` : item;
  const told = [schema.description, json && item ? `each ${each}` : ""].filter(Boolean).join("; ");
  const value = () => {
    try { wrong.textContent = ""; input.removeAttribute("aria-invalid"); return read(name, schema, needed, input.value.trim()); }
    catch (error) { wrong.textContent = error.message; input.setAttribute("aria-invalid", "true"); throw Object.assign(error, { input }); }
  };
  return { node: el("div", { class: "field" }, el("label", { for: id }, el("code", {}, name), needed ? " (needed) " : " ",
    faint(told)), input, wrong), name, value };
}

/** A tool that opens into its form; `call(arguments)` is awaited, and what it throws is shown. `mark` stands behind the name. */
export function toolForm(tool, call, mark = null) {
  const given = tool.parameters?.properties || {}, needed = new Set(tool.parameters?.required || []), said = el("div", {}),
    prefix = `argument-${tool.by || "agent"}-${tool.name}`;
  const fields = Object.entries(given).map(([name, schema]) => field(name, schema, needed.has(name), `${prefix}-${name}`)),
    button = el("button", { type: "submit" }, "call");
  const submit = async () => {
    const values = {};
    let first = null;
    for (const each of fields) {
      try { const value = each.value(); if (value !== undefined) values[each.name] = value; } catch (error) { first ||= error.input; }
    }
    if (first) return first.focus();
    button.disabled = true;
    try { await call(values); said.replaceChildren(); } catch (error) { said.replaceChildren(problem(error.message)); }
    button.disabled = false;
  };
  return el("details", { class: "tool", id: `tool-${tool.name}` }, el("summary", {}, el("code", {}, tool.name), " ", mark, " ",
    faint((tool.description || "").split("\n")[0])),
    el("p", {}, tool.description || ""), form(submit, { novalidate: true }, fields.map((each) => each.node), button), said);
}
