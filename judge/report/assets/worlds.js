// The installed worlds (#/worlds), and one of them (#/world/NAME): tables, tools to try, rules, graph, tasks, policy.
// Its address: ?tab= and, of tables, ?table=&page=&q=. Only with the server.

import { madeCall } from "toolgym/conversation.js";
import { anchor, awaited, el, faint, fold, options, path, plural, press, problem, quiet, searching, table, tag } from "toolgym/dom.js";
import { link, setQuery } from "toolgym/router.js";
import { toolForm } from "toolgym/tool_form.js";
import { value } from "toolgym/values.js";
import { worldGraph } from "toolgym/world_graph.js";
import { worldRules } from "toolgym/world_rules.js";

const TABS = { tables: "Tables", tools: "Tools", rules: "Rules", graph: "Graph", tasks: "Tasks", policy: "Policy" };

export async function render(container, params, source) {
  if (params.world === undefined) return list(container, source);
  const world = await source.ask("/world", { name: params.world }), panel = el("div", { id: "panel" }), written = quiet(), tried = [];
  let query = params.query;
  const tabs = Object.entries(TABS).map(([name, words]) => el("a", { id: `tab-${name}`, href: link.world(world.name, name === "tables" ? {} : { tab: name }) },
    words));
  container.append(path(["worlds", link.worlds()]), el("h1", {}, world.title),
    quiet(`${world.name} · ${plural(world.tables.length, "table")} · ${plural(world.tools.length, "tool")} · ${plural(world.rules.length, "rule")}`
      + ` · its clock stands at ${world.now}`), written,
    el("nav", { class: "tabs", "aria-label": "About this world" }, tabs), panel);
  const draw = {
    tables: () => tables(world, query, source, (next) => { query = next; draw.show(); }), tools: () => tools(world, source, tried),
      rules: () => worldRules(world, source),
    graph: () => worldGraph(world, source), tasks: () => tasks(world, source), policy: () => el("pre", { class: "prose", tabindex: "0" }, world.policy),
    show: () => {
      const tab = query.get("tab") || "tables";
      tabs.forEach((each) => (each.id === `tab-${tab}` ? each.setAttribute("aria-current", "page") : each.removeAttribute("aria-current")));
      panel.replaceChildren(tab in TABS ? draw[tab]() : problem(`There is no tab ${tab}; there are ${Object.keys(TABS).join(", ")}.`));
    },
  };
  draw.show();
  source.ask("/tables").then(({ tables: every }) => {
    const mine = every.filter((each) => each.worlds.includes(world.name));
    written.append(...(mine.length ? ["Tables: ", ...mine.flatMap((each, place) => [place ? ", " : "",
      anchor(`${each.title} (${each.id.includes(".json") ? each.id : "all runs"})`,
        link.table(each.id, { q: each.id.endsWith("redteam.json") ? world.name : null }))])] : []));
  }, () => {}); // a page of its own says what is wrong with them
  return { update: ({ query: next }) => { query = next; draw.show(); } };
}

async function list(container, source) {
  const { worlds } = await source.ask("/worlds");
  container.append(el("h1", {}, "Worlds"), table(["world", "what it is", "tools", "tables", "rules", "goals"], worlds.map((world) => (world.problem
    ? [world.name, el("span", { class: "bad" }, world.problem), "–", "–", "–", "–"]
    : [anchor(world.name, link.world(world.name)), world.title, String(world.tools), String(world.tables), String(world.rules),
      String(world.goals)])), [2, 3, 4, 5]));
  return {};
}

function tables(world, query, source, go) {
  const chosen = world.tables.find((each) => each.name === (query.get("table") || world.tables[0].name));
  if (!chosen) return problem(`There is no table ${query.get("table")}; there are ${world.tables.map((each) => each.name).join(", ")}.`);
  const change = (values) => go(setQuery(values)), page = Number(query.get("page") || 0), words = query.get("q") || "";
  const pick = el("select", { "aria-label": "table", id: "table", onchange: () => change({ table: pick.value, page: null, q: null }) },
    options(world.tables.map((each) => [each.name, `${each.name} (${each.rows})`]), chosen.name));
  const search = searching("Search rows", () => {}, { value: words, onchange: () => change({ q: search.value, page: null }) });
  const about = chosen.columns.map((column) => [el("code", {}, column.name), column.type, [column.key ? "key" : "", column.refers ? `refers to ${column.refers}`
    : "", column.hidden ? "never shown to agents" : "", column.personal ? "personal" : ""].filter(Boolean).join(", ")]);
  const box = awaited(source.ask("/rows", { name: world.name, table: chosen.name, page, q: words }), (found) => {
    const last = Math.max(0, Math.ceil(found.total / found.size) - 1), step = (to, text) =>
      el("button", { type: "button", disabled: to < 0 || to > last, onclick: () => change({ page: to || null }) }, text);
    return [el("div", { class: "tools" }, step(page - 1, "‹ previous"),
      faint(`${plural(found.total, "row")}, page ${page + 1} of ${last + 1}`), step(page + 1, "next ›")),
    table(found.columns, found.rows.map((row) => row.map(value)))];
  }, "Reading the rows…", { id: "rows" });
  return el("div", {}, el("div", { class: "filters" }, pick, search),
    fold(plural(chosen.columns.length, "column"), table(["column", "type", "what"], about)), box);
}

function tools(world, source, tried) {
  const box = el("div", { id: "tried", role: "status" });
  const show = () => box.replaceChildren(el("h2", {}, "Scratch session"),
    tried.length ? press("start again", () => { tried.length = 0; show(); }) : quiet("Call a tool: nothing that is changed here is kept."),
    ...tried.map((call, number) => madeCall(call, number, number === tried.length - 1)));
  show();
  const forms = world.tools.map((tool) => toolForm(tool, async (given) => {
    const calls = [...tried.map(({ name, arguments: of, by }) => ({ name, arguments: of, by })), { name: tool.name, arguments: given, by: tool.by }];
    const found = await source.ask("/scratch", { name: world.name }, { calls });
    tried.splice(0, tried.length, ...found.calls.map((each, place) => ({ ...each, by: calls[place].by })));
    show();
    box.scrollIntoView({ block: "nearest" });
  }, [tag(tool.kind), tag(tool.by === "user" && "the user's")]));
  return el("div", { class: "sides" }, el("section", {}, el("h2", {}, "Tools"), forms), el("section", { class: "beside" }, box));
}

function tasks(world, source) {
  const box = awaited(source.ask("/tasks", { name: world.name }), ({ splits }) => (splits.length
    ? table(["data", "split", "tasks", "families"], splits.map(({ data, split, tasks: count, families }) => [data, split, String(count),
      Object.entries(families).map(([family, number]) => `${family} ${number}`).join(", ")]), [2])
    : quiet("No tasks are stored; `toolgym tasks generate` draws them from the goals.")), "Reading the tasks…");
  return el("div", {}, box,
    world.goals.length ? [el("h2", {}, "Goals"), table(["goal", "tool"], world.goals.map((goal) => [el("code", {}, goal.name), goal.tool]))] : null);
}
