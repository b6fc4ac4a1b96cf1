// The Graph tab: calls in columns by how many results they build on, an arrow for every result that is used.

import { el, fold, scrolling } from "toolgym/dom.js";

const WIDE = 190, HIGH = 34, GAP_X = 46, GAP_Y = 16;
const COLOURS = { made: "var(--ink)", refused: "var(--bad)", unmade: "var(--line)" };

/** A figure of calls: `{ nodes, edges }`, with the same in words beneath; `pick` is called with a call's number. */
export function callGraph(caption, graph, pick = null, kind = "graph") {
  const x = (node) => 4 + node.column * (WIDE + GAP_X), y = (node) => 4 + node.row * (HIGH + GAP_Y);
  const width = Math.max(WIDE, ...graph.nodes.map((node) => x(node) + WIDE + 4)), height = Math.max(HIGH, ...graph.nodes.map((node) => y(node) + HIGH + 4));
  const arrows = graph.edges.map(([from, to]) => {
    const a = graph.nodes[from], b = graph.nodes[to], x1 = x(a) + WIDE, y1 = y(a) + HIGH / 2, x2 = x(b), y2 = y(b) + HIGH / 2;
    return el("path", { d: `M${x1},${y1}C${x1 + GAP_X / 2},${y1} ${x2 - GAP_X / 2},${y2} ${x2},${y2}m-6,-4l6,4l-6,4`, class: "edge", "data-from": from,
      "data-to": to, fill: "none", stroke: COLOURS[b.state] });
  });
  const boxes = graph.nodes.map((node, place) => el("g", { class: `node ${node.state}`, onclick: pick && (() => pick(place)) },
    el("title", {}, `${node.name} ${node.arguments}`),
    el("rect", { x: x(node), y: y(node), width: WIDE, height: HIGH, rx: 5, fill: "transparent", stroke: COLOURS[node.state],
      "stroke-width": node.state === "refused" ? 2.5 : 1 }),
    el("text", { x: x(node) + 10, y: y(node) + 21, fill: COLOURS[node.state] },
      `${place} ${node.name.length > 24 ? `${node.name.slice(0, 23)}…` : node.name}`)));
  const drawn = el("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${caption}: ${graph.nodes.length} calls, ${graph.edges.length} uses of a result; in words below` }, arrows, boxes);
  return el("figure", { class: kind }, el("figcaption", {}, caption), graph.nodes.length ? [scrolling(caption, drawn), inWords(graph, pick)] : el("p",
      { class: "quiet" }, "No call."));
}

function inWords(graph, pick) {
  return fold("in words", el("ol", { start: 0 }, graph.nodes.map((node, place) => {
    const uses = graph.edges.filter(([, to]) => to === place).map(([from]) => from), name = `${node.name}(${node.arguments})`;
    return el("li", {}, pick ? el("button", { type: "button", class: "plain", onclick: () => pick(place) }, name) : el("code", {}, name),
      uses.length ? ` uses the results of ${uses.join(", ")}` : "", node.state === "refused" ? el("span", { class: "bad" }, " refused") : "",
      node.missing?.length ? el("span", { class: "bad" }, ` nobody gave: ${node.missing.join(", ")}`) : "");
  })));
}

/** The tab. */
export function graphs(talk, pick) {
  const box = el("div", {});
  for (const program of talk.programs) box.append(callGraph(program.fault || "The program came to its end.", program, null, "program"));
  if (talk.graph === null) box.append(el("p", { class: "note" }, `How the calls build on one another is not known here: ${talk.gold_missing}`));
  else {
    if (!talk.programs.length) box.append(callGraph("What the agent called", talk.graph.made, pick));
    box.append(callGraph("Gold", talk.graph.gold));
  }
  return box;
}
