// The plots of finished runs: pass^k, depth, families, rewards. Each says in words what it shows (`aria-label`).

import { el, number } from "toolgym/dom.js";

const COLOURS = ["#2f6fed", "#d9730d", "#1a7f4b", "#9a4fd0", "#c33a2c", "#0f8b8d"];

/** A share as a bar with its interval, and small marks where agents of no use stand; `words` say it all. */
export function meter(value, words, { low, high, floors = [] } = {}) {
  const x = (share) => 1 + 98 * Math.min(1, Math.max(0, share)), known = (each) => each !== null && each !== undefined;
  return el("svg", { class: "meter", viewBox: "0 0 100 14", preserveAspectRatio: "none", role: "img", "aria-label": words },
    el("title", {}, words), el("rect", { class: "track", x: 1, y: 3, width: 98, height: 8, rx: 2 }),
    known(value) ? el("rect", { class: "plus", x: 1, y: 3, width: x(value) - 1, height: 8, rx: 2 }) : null,
    known(low) ? el("path", { class: "spread", d: `M${x(low)},4v6M${x(low)},7H${x(high)}M${x(high)},4v6` }) : null,
    floors.filter(known).map((floor) => el("path", { class: "floor", d: `M${x(floor)},0v14` })));
}

/** A picture with what it shows in words, for those who do not see it; a wide page does not blow its letters up. */
function chart(width, height, parts, words) {
  return el("svg", { viewBox: `0 0 ${width} ${height}`, style: `max-width: ${1.2 * width}px`, role: "img", "aria-label": words }, parts);
}

function figure(caption, picture, runs) {
  const names = runs.length > 1 ? runs.map((run, place) => el("span", {}, el("span", { style: `color:${COLOURS[place % COLOURS.length]}`, "aria-hidden": "true" }, " ● "), run.name)) : [];
  return el("figure", {}, el("figcaption", {}, caption, names), picture);
}

function bars(title, groups) {
  const longest = Math.max(...groups.map((group) => group.label.length));
  const step = 20, left = Math.min(230, Math.max(150, 6 * longest + 10)), width = 420, values = groups.flatMap((group) => group.values);
  const low = Math.min(0, ...values), high = Math.max(0.001, ...values);
  const counts = high > 1 && values.every(Number.isInteger), written = (value) => (counts ? String(value) : value.toFixed(2));
  const rows = groups.flatMap((group) => group.values.map((value, place) => ({ label: place ? "" : group.label, value, place })));
  const x = (value) => left + ((value - low) / (high - low)) * (width - left - 56);
  const parts = rows.flatMap((row, line) => [
    el("text", { x: left - 8, y: line * step + 14, "text-anchor": "end" }, row.label),
    el("rect", { x: Math.min(x(0), x(row.value)), y: line * step + 4, width: Math.max(1, Math.abs(x(row.value) - x(0))), height: step - 7, rx: 2, fill: COLOURS[row.place % COLOURS.length] }),
    el("text", { x: Math.max(x(0), x(row.value)) + 5, y: line * step + 14 }, written(row.value))]);
  return chart(width, rows.length * step + 6, parts, `${title}: ${groups.map((group) => `${group.label} ${group.values.map(written).join(" and ")}`).join(", ")}`);
}

/** Bars in groups; `names` says what the bars of a group stand for, where there are several. */
export function barPlot(caption, groups, names) {
  return figure(caption, bars(caption, groups), names.map((name) => ({ name })));
}

/** Buckets as columns, each of parts that stand on one another; `names` are [words, colour] of the parts. */
export function stackPlot(caption, buckets, names) {
  const width = 300, height = 130, left = 30, bottom = 18, step = (width - left) / buckets.length, every = Math.ceil(buckets.length / 7);
  const sums = buckets.map(({ values }) => values.reduce((sum, each) => sum + each, 0)), most = Math.max(1, ...sums);
  const y = (count) => 6 + (1 - count / most) * (height - bottom - 6);
  const columns = buckets.flatMap(({ label, values }, place) => {
    let below = 0;
    return [...values.map((count, part) => el("rect", { x: left + place * step + 1, y: y(below += count), width: Math.max(1, step - 2), height: y(0) - y(count), fill: names[part][1] })),
      place % every ? null : el("text", { x: left + (place + 0.5) * step, y: height - 5, "text-anchor": "middle" }, label)];
  });
  const axis = [0, most].map((count) => el("text", { x: left - 5, y: y(count) + 4, "text-anchor": "end" }, String(count)));
  const words = buckets.map(({ label, values }) => `${label}: ${values.map((count, part) => `${names[part][0]} ${count}`).join(", ")}`);
  return figure(caption, chart(width, height, [...columns, ...axis], `${caption}: ${words.join("; ")}`), []);
}

export function passPlot(runs) {
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
  const words = runs.map((run) => `${run.name}: ${Object.entries(run.summary.pass_hat).map(([k, value]) => `k = ${k}: ${number(value)}`).join(", ")}`);
  return figure("pass^k with 95 % intervals", chart(width, height, parts, words.join("; ")), runs);
}

export function rewardPlot(runs, name) {
  const having = runs.filter((run) => run.summary.scores && run.summary.scores.rewards[name]);
  if (!having.length) return null;
  const parts = Object.keys(having[0].summary.scores.rewards[name].components);
  const groups = [{ label: "total", values: having.map((run) => run.summary.scores.rewards[name].mean || 0) }].concat(
    parts.map((part) => ({ label: part, values: having.map((run) => run.summary.scores.rewards[name].components[part] || 0) })));
  return figure(`${name} reward and its parts (means)`, bars(name, groups), having);
}

const ORDER = ["simple", "standard", "hard"]; // of difficulties; everything else by name

/** pass^1 by a part of the summary (`families`, `difficulties`), with how many tasks each has. */
export function familyPlot(runs, key, caption) {
  const place = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.summary[key])))].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
  const tasks = (name) => Math.max(...runs.map((run) => (run.summary[key][name] || {}).tasks || 0));
  const groups = names.map((name) => ({ label: `${name} (${tasks(name)})`, values: runs.map((run) => (run.summary[key][name] || {}).pass_hat_1 || 0) }));
  return names.length > 1 ? figure(`${caption} (tasks)`, bars(caption, groups), runs) : null;
}

export function depthPlot(runs) {
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
  const words = having.map((run) => `${run.name}: ${Object.entries(run.summary.by_depth.depth).map(([depth, row]) => `depth ${depth}: ${number(row.pass)}`).join(", ")}`);
  return figure("pass^1 by depth with 95 % intervals", chart(width, height, parts, words.join("; ")), runs);
}
