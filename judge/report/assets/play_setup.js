// What is played (#/play): a world, a task of its data, whom the person is, who takes the other side; or, with ?from=,
// who goes on from a turn of a recorded episode. The choices stand in the address.

import { el, faint, form, options, path, plural, press, problem, quiet } from "toolgym/dom.js";
import { go, link, setQuery } from "toolgym/router.js";
import { unpackRows } from "toolgym/source.js";

const HARD = ["family", "difficulty", "depth", "information"];

const labelled = (words, input, hint = null) => el("label", { class: "field" }, el("span", {}, words, hint ? faint(` ${hint}`) : null), input);

/** Fields for who takes a side; `read()` gives what the server takes. `people` are [value, words]. */
export function sideFields(side, people, chosen, known) {
  const who = el("select", { id: `who-${side}`, onchange: () => show() }, options(people, chosen));
  const model = el("input", { id: `model-${side}`, autocomplete: "off", spellcheck: "false" }),
    url = el("input", { id: `url-${side}`, type: "url", placeholder: "http://127.0.0.1:8765/v1", autocomplete: "off", spellcheck: "false" });
  const role = side.toUpperCase(), more = el("div", {}, labelled("Model", model, `empty: TOOLGYM_${role}_MODEL where the server runs`),
    labelled("Endpoint", url, known ? "empty: that of the server's environment" : "any that speaks OpenAI's protocol"),
    quiet(`The key is taken from the server's environment (TOOLGYM_${role}_API_KEY) and never sent here.`));
  const show = () => { more.hidden = who.value !== "llm"; };
  show();
  const read = () => (who.value === "llm" ? { name: "llm", model: model.value.trim() || null, base_url: url.value.trim() || null } : { name: who.value });
  return { node: el("div", {}, labelled(side === "agent" ? "The agent is played by" : "The customer is played by", who), more), read, who };
}

const AGENTS = { human: "you, by hand", rules: "rules: plays by the world's forms", demonstrator: "demonstrator: asks, looks up, confirms",
  oracle: "oracle: knows the right calls", reckless: "reckless: ignores the policy", inert: "inert: does nothing", random: "random",
  llm: "llm: a language model" };
const USERS = { human: "you, by hand", scripted: "scripted", llm: "llm: a language model" };
export const people = (names, side, human) => [...(human ? ["human"] : []), ...names].map((name) => [name, (side === "agent" ? AGENTS : USERS)[name] || name]);

export async function setup(container, params, source) {
  const known = await source.ask("/play/players");
  return params.query.has("from") ? forking(container, params.query, source, known) : choosing(container, params.query, source, known);
}

async function begin(source, path, sent, button, said) {
  button.disabled = true;
  said.replaceChildren(el("p", { class: "quiet", role: "status" }, "Beginning…"));
  try {
    const state = await source.ask(path, {}, sent);
    go(link.play(state.id));
  } catch (error) {
    said.replaceChildren(problem(error.message));
    button.disabled = false;
  }
}

async function choosing(container, query, source, known) {
  const { worlds } = await source.ask("/worlds"), fine = worlds.filter((world) => !world.problem);
  if (!fine.length) throw new Error("No world is installed; `toolgym new-domain` begins one.");
  const named = query.get("world"), first = fine.some((world) => world.name === "retail") ? "retail" : fine[0].name;
  const world = el("select", { id: "world", onchange: () => { keep({ world: world.value, split: null, task: null }); splits(); } },
    options(fine.map((each) => [each.name, `${each.name}: ${each.title}`]), named || first));
  const split = el("select", { id: "split", onchange: () => { keep({ split: split.value, task: null }); tasks(); } });
  const facets = Object.fromEntries(HARD.map((name) => [name, el("select", { id: `facet-${name}`, onchange: () => list() })]));
  const task = el("select", { id: "task", onchange: () => keep({ task: task.value }) }),
    count = el("span", { class: "quiet", id: "task-count", role: "status" });
  const chance = press("a random one", () => { task.selectedIndex = Math.floor(Math.random() * task.options.length);
    keep({ task: task.value }); });
  const role = (value, words, about) => el("label", { class: "role" },
    el("input", { type: "radio", name: "role", value, checked: (query.get("role") || "agent") === value, onchange: () => { keep({ role: value }); sides(); } }),
    el("span", {}, el("b", {}, words), faint(` ${about}`)));
  const consent = el("input", { type: "checkbox", id: "consent" });
  const other = el("div", {}), said = el("div", {}), start = el("button", { type: "submit", class: "main" }, "Begin");
  const keep = (values) => { query = setQuery(values); };
  let rows = [], side = null;

  const chosenRole = () => container.querySelector("[name=role]:checked")?.value || query.get("role") || "agent";
  function sides() {
    const of = chosenRole() === "customer" ? "agent" : "user";
    side = sideFields(of, people(of === "agent" ? known.agents : known.users, of, false), of === "agent" ? "rules" : "scripted", known.models[of]);
    other.replaceChildren(side.node);
  }
  async function splits() {
    try {
      const found = (await source.ask("/tasks", { name: world.value })).splits;
      split.replaceChildren(...options(found.map((each) => [`${each.data}/${each.split}`,
        `${each.split} · ${each.data === "own" ? "version 1" : each.data} (${each.tasks})`]), query.get("split") || (found.some((each) => each.split === "dev")
        ? "own/dev" : "")));
      await tasks();
    } catch (error) { said.replaceChildren(problem(error.message)); }
  }
  async function tasks() {
    if (!split.value) { rows = []; return list(); }
    const [data, name] = split.value.split(/\/(.*)/s);
    rows = unpackRows(await source.ask("/play/tasks", { world: world.value, data, split: name }));
    for (const [facet, select] of Object.entries(facets)) {
      const values = [...new Set(rows.map((row) => row[facet]))].filter((value) => value !== null).sort((one, two) => (one > two ? 1 : -1));
      select.replaceChildren(...options([["", `any ${facet}`], ...values.map((value) => [value, facet === "depth" ? `depth ${value}` : value])], ""));
      select.closest("label").hidden = values.length < 2;
    }
    list();
  }
  function list() {
    const left = rows.filter((row) => Object.entries(facets).every(([facet, select]) => select.value === "" || String(row[facet]) === select.value));
    task.replaceChildren(...options(left.map((row) => [row.id, [row.id, row.family, row.difficulty].filter(Boolean).join(" · ")]), query.get("task")));
    count.textContent = left.length ? plural(left.length, "task") : "No task is stored here; choose another split or world.";
    chance.disabled = start.disabled = !left.length;
  }

  const submit = () => {
    const mine = { name: "human" }, customer = chosenRole() === "customer", [data] = split.value.split("/");
    begin(source, "/play/start", { world: world.value, task: task.value, data, agent: customer ? side.read() : mine, user: customer ? mine : side.read(),
      consent: consent.checked ? "call" : "words" }, start, said);
  };
  container.append(el("h1", {}, "Play"),
    quiet("Be the agent and serve a simulated customer, or be the customer and try an agent. What you do is recorded as in any run, and scored at the end."),
    form(submit, { class: "setup" }, el("fieldset", {}, el("legend", {}, "You are"), role("agent", "the agent", "with the policy, and a form for every tool"),
        role("customer", "the customer", "with the situation of the task")),
      el("fieldset", {}, el("legend", {}, "The other side"), other, el("label", {}, consent, " the customer approves each change before it is made")),
      el("fieldset", { class: "wide" }, el("legend", {}, "The task"), el("div", { class: "twin" }, labelled("World", world), labelled("Split", split)),
        el("div", { class: "filters" }, Object.entries(facets).map(([name, select]) => el("label", { class: "facet" }, el("span", { class: "unseen" }, name),
          select))),
        labelled("Task", task), el("div", { class: "tools" }, chance, count)),
      el("div", { class: "wide" }, start, said)));
  sides();
  await splits();
  return {};
}

function forking(container, query, source, known) {
  const [run, task, trial] = query.get("from").split("/").map(decodeURIComponent), turn = Number(query.get("turn") || 0);
  const as = query.get("as") === "user" ? "user" : "agent";
  const agent = sideFields("agent", people(known.agents, "agent", true), as === "agent" ? "human" : "rules", known.models.agent);
  const user = sideFields("user", [["", "as in the run, where that can be"], ...people(known.users, "user", true)], as === "user" ? "human" : "",
    known.models.user);
  const said = el("div", {}), start = el("button", { type: "submit", class: "main" }, "Go on from here");
  const submit = () => begin(source, "/play/fork",
    { origin: { run, task, trial: Number(trial), turn }, agent: agent.read(), user: user.who.value ? user.read() : null }, start, said);
  container.append(path([run, link.run(run)], [`${task}, trial ${trial}`, link.episode(run, task, trial, { turn })]), el("h1", {}, `Go on from turn ${turn}`),
    quiet(`Everything before turn ${turn} is said and called again in a session of its own. The run stays as it is.`),
    form(submit, { class: "setup" }, el("fieldset", {}, el("legend", {}, "From there on"), agent.node),
      el("fieldset", {}, el("legend", {}, "The other side"), user.node), el("div", { class: "wide" }, start, said)));
  return {};
}
