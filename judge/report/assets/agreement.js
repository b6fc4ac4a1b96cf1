// How far people and judges agree on a run's turns, and the turns on which they do not, to be read again.
// Its address: ?annotator= (who reads: turns they have not scored stay hidden), ?between=A and B, ?all=1.

import { keptName } from "toolgym/annotate.js";
import { mark, signed } from "toolgym/annotate_desk.js";
import { anchor, el, number, options, path, percent, plural, problem, quiet, table } from "toolgym/dom.js";
import { link, setQuery } from "toolgym/router.js";

const LABELS = [-1, 0, 1];
const who = ({ kind, name }) => (kind === "judge" ? `judge ${name}` : name);
const between = (pair) => `${who(pair.first)} and ${who(pair.second)}`;
const within = (interval) => (interval ? ` (${number(interval[0], 2)} to ${number(interval[1], 2)})` : "");

export const title = (params) => `Agreement on ${params.run}`;

export async function render(container, params, source) {
  if (!source.live) throw new Error("Agreement is shown in the viewer: `toolgym view`.");
  const annotator = params.query.get("annotator") || keptName(), everything = params.query.get("all") === "1";
  const found = await source.ask("/annotations/agreement", { id: params.run, annotator, everything });
  const pairs = found.pairs.filter((pair) => pair.agreement), list = el("section", { id: "disagreements", "aria-label": "Disagreements" });
  container.append(...[path(["runs", link.runs()], [params.run, link.run(params.run)]),
    el("h1", {}, "Agreement", el("a", { class: "aside", href: link.annotate(params.run, { annotator: params.query.get("annotator") }) }, "annotate")),
    found.problems.length ? problem(`Left out: ${found.problems.join(" ")}`) : "",
    found.people.length ? [el("div", { class: "tools" }, el("a", { href: source.annotated(params.run, "jsonl"), id: "jsonl", download: "" },
      "save as JSON lines"), el("a", { href: source.annotated(params.run, "csv"), id: "csv", download: "" }, "save as CSV")), people(found)]
      : el("p", {}, "Nobody has scored a turn of this run yet."),
    pairs.length ? quiet("Kappa is agreement beyond chance (Cohen 1960): 1 is all, 0 is what chance gives. Weighted kappa counts −1 against +1 "
        + "twice as much as a neighbour (linear weights, Cohen 1968). In brackets 95 % intervals by a bootstrap over tasks; none with fewer than five.") : "",
    el("div", { class: "pairs" }, pairs.map(card)), list].flat());

  function draw(query) {
    const chosen = query.get("between") || "", pair = pairs.find((each) => between(each) === chosen);
    const of = (each, side) => each.said.find((one) => one.kind === side.kind && one.name === side.name)?.score;
    const shown = found.disagreements.filter((each) => !pair || (of(each, pair.first) !== undefined && of(each, pair.second) !== undefined &&
      of(each, pair.first) !== of(each, pair.second)));
    const choice = el("select", { id: "between", "aria-label": "Between whom", onchange: () => draw(setQuery({ between: choice.value })) },
      options([["", "between any two"], ...pairs.map((each) => [between(each), `between ${between(each)}`])], pair && chosen));
    list.replaceChildren(...(found.people.length ? [el("h2", {}, "Disagreements"),
      el("div", { class: "filters" }, choice, el("span", { class: "quiet", role: "status" }, plural(shown.length, "turn"))),
      found.hidden ? el("p", { class: "note" },
        `${plural(found.hidden, "turn")} more ${found.hidden === 1 ? "is" : "are"} hidden, `,
        `as ${found.annotator} has not scored ${found.hidden === 1 ? "it" : "them"} yet. `,
        anchor("Show all", link.agreement(params.run, { ...Object.fromEntries(query), all: 1 }))) : "",
      shown.length ? el("ol", { class: "apart" }, shown.map(line)) : quiet("None.")] : []));
  }
  const line = (each) => {
    const [task, trial, turn] = each.place;
    return el("li", {}, el("p", {}, anchor(`${task}, trial ${trial}, turn ${turn}`, link.episode(params.run, task, trial, { turn })), " ",
      el("a", { class: "tag", href: link.annotate(params.run, { annotator: params.query.get("annotator"), at: `${task}/${trial}/${turn}` }) }, "score again")),
      el("blockquote", {}, each.text), el("ul", {}, each.said.map((one) => el("li", {}, mark(one.score), ` ${who(one)}`, one.reason ? `: ${one.reason}`
        : ""))));
  };
  draw(params.query);
  return { update: ({ query }) => ((query.get("annotator") || keptName()) === annotator && (query.get("all") === "1") === everything ? draw(query) : false) };
}

function people(found) {
  return table(["annotator", "turns", "scored blind", "of a record that has changed since"],
    found.people.map((one) => [one.name, String(one.turns), String(one.blind), String(one.changed)]), [1, 2, 3]);
}

/** One pair: the numbers, and how often which score met which. */
function card(pair) {
  const { turns, tasks, confusion, observed, kappa, kappa_interval, weighted, weighted_interval } = pair.agreement, most = Math.max(...confusion.flat());
  const [first, second] = [who(pair.first), who(pair.second)];
  return el("figure", { class: "pair" }, el("figcaption", {}, `${first} and ${second}`),
    el("dl", {}, [["kappa", kappa === null ? "not defined" : number(kappa, 2) + within(kappa_interval)],
      ["weighted kappa", weighted === null ? "not defined" : number(weighted, 2) + within(weighted_interval)], ["equal scores", percent(observed)],
      ["scored by both", `${plural(turns, "turn")} of ${plural(tasks, "task")}`]].map(([name, value]) => el("div", {}, el("dt", {}, name),
      el("dd", {}, value)))),
    el("table", { class: "confusion" }, el("caption", {}, `How often ${first} (rows) and ${second} (columns) gave which score`),
      el("thead", {}, el("tr", {}, el("td", {}), LABELS.map((label) => el("th", { scope: "col" }, signed(label))))),
      el("tbody", {}, confusion.map((row, place) => el("tr", {}, el("th", { scope: "row" }, signed(LABELS[place])),
        row.map((count, other) => el("td", { class: place === other ? "same" : count ? "apart" : null, style: `--share: ${most ? count / most : 0}` },
        String(count))))))));
}
