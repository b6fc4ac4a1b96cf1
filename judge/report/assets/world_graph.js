// A world's dependency graph: as its types declare it, and as live calls measured it.

import { callGraph } from "toolgym/call_graph.js";
import { announce, el, plural, press, problem, quiet, table } from "toolgym/dom.js";

const ASK = 700; // milliseconds between two looks at a measurement

/** Both graphs; the measured one is asked for, and measured only at a click. */
export function worldGraph(world, source) {
  const measured = el("div", { id: "measured", role: "status" });
  const look = async (sent = null) => {
    try { show(await source.ask("/graph", { name: world.name }, sent));
      } catch (error) { measured.replaceChildren(problem(error.message), button("try again")); }
  };
  const button = (words) => press(words, () => look({}));
  function show(found) {
    if (found.state === "measuring") {
      measured.replaceChildren(el("p", {}, `Measuring: every pair of tools is tried live, for ${Math.round(found.seconds)} s so far.`),
        el("progress", { "aria-label": "measuring" }));
      setTimeout(() => { if (measured.isConnected) look(); }, ASK);
    } else if (found.state === "ready") {
      measured.replaceChildren(...ready(world, found));
      announce("The graph has been measured");
    } else measured.replaceChildren(found.state === "failed" ? problem(`It could not be measured: ${found.why}`) : quiet(
      "It has not been measured in this version of the world."), button("measure it (seconds to a minute)"));
  }
  look();
  return el("div", {}, el("h2", {}, "Declared"), declared(world), el("h2", {}, "Measured"), measured);
}

function declared(world) {
  if (!world.links.length) return quiet("The types of this world's tools declare no edge.");
  return el("div", {}, callGraph("Where a tool's arguments are looked up, by the types", laidOut(world, world.links)),
    table(["from", "to", "argument"], world.links));
}

function ready(world, found) {
  const values = found.edges.filter((edge) => edge.kind === "value" && !edge.echo), order = found.edges.filter((edge) => edge.kind === "order");
  const seen = world.links.length - found.unseen.length;
  return [quiet(`${found.calls} live calls in ${found.seconds.toFixed(1)} s, all taken back; `
      + `${plural(values.length, "value")} that one tool takes from another or from the person, `
      + `${plural(order.length, "call")} that must come before another`
      + `${world.links.length ? `; ${seen} of ${plural(world.links.length, "declared edge")} seen` : ""}`),
    found.unseen.length ? el("p", {}, `Declared and not seen: ${found.unseen.map(([from, to, argument]) => `${from} to ${to} (${argument})`).join(", ")}`) : "",
    callGraph("Where a tool's arguments are looked up, as measured", laidOut(world, found.links)),
    order.length ? table(["must come first", "before", "lifts the refusal", "seen"],
      order.map((edge) => [edge.source, edge.target, edge.what, String(edge.evidence)]), [3]) : "",
    table(["from", "to", "value", "seen", "declared"], values.map((edge) => [edge.source, edge.target, edge.what, String(edge.evidence), edge.declared ? "yes"
      : "no"]), [3]),
  ];
}

/** Tools in columns by how many references lead to them, an arrow where a result holds what an argument refers to. */
function laidOut(world, every) {
  const reads = new Set(world.tools.filter((tool) => tool.kind === "read").map((tool) => tool.name)), has = new Set(every.map(([from, to]) => `${from} ${to}`));
  // drawn is where an agent looks a value up; of two that lead to one another, the one that is listed first
  const names = world.tools.filter((tool) => tool.by === "agent").map((tool) => tool.name), column = new Map(names.map((name) => [name, 0]));
  const links = every.filter(([from, to]) => reads.has(from) && !(has.has(`${to} ${from}`) && reads.has(to) && names.indexOf(to) < names.indexOf(from)));
  for (let round = 0; round < 4; round++) for (const [from, to] of links) if (column.get(from) < 3 && column.get(to) <= column.get(from)) column.set(to,
    column.get(from) + 1);
  const nodes = names.map((name, place) => ({ name, arguments: "", column: column.get(name),
    row: names.slice(0, place).filter((other) => column.get(other) === column.get(name)).length, state: "made" }));
  const edges = [...new Map(links.map(([from, to]) => [`${from} ${to}`, [names.indexOf(from), names.indexOf(to)]])).values()].filter(([from, to]) =>
    from >= 0 && to >= 0);
  return { nodes, edges };
}
