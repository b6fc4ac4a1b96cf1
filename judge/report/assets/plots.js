// The plots of finished runs: pass^k, depth, families, rewards. Each says in words what it shows (`aria-label`).

import { el, known, number } from "toolgym/dom.js";

export const COLOURS = ["#2f6fed", "#d9730d", "#1a7f4b", "#9a4fd0", "#c33a2c", "#0f8b8d"];

/** A share as a bar with its interval, and small marks where agents of no use stand; `words` say it all. */
export function meter(value, words, { low, high, floors = [], kind = "plus" } = {}) {
  const x = (share) => 1 + 98 * Math.min(1, Math.max(0, share));
  return el("svg", { class: "meter", viewBox: "0 0 100 14", preserveAspectRatio: "none", role: "img", "aria-label": words },
    el("title", {}, words), el("rect", { class: "track", x: 1, y: 3, width: 98, height: 8, rx: 2 }),
    known(value) ? el("rect", { class: kind, x: 1, y: 3, width: x(value) - 1, height: 8, rx: 2 }) : null,
    known(low) ? el("path", { class: "spread", d: `M${x(low)},4v6M${x(low)},7H${x(high)}M${x(high)},4v6` }) : null,
    floors.filter(known).map((floor) => el("path", { class: "floor", d: `M${x(floor)},0v14` })));
}

/** A difference as its interval from -most to +most, with nought in the middle. */
export function interval({ value, low, high, more_than_chance: sure }, most, words) {
  const x = (each) => 60 + (each / most) * 56;
  return el("svg", { class: "interval", viewBox: "0 0 120 16", role: "img", "aria-label": words },
    el("line", { x1: 60, x2: 60, y1: 0, y2: 16, stroke: "var(--line)" }),
    el("line", { x1: x(low), x2: x(high), y1: 8, y2: 8, stroke: "var(--ink)", "stroke-width": 2 }),
    el("circle", { cx: x(value), cy: 8, r: 3.5, fill: sure ? "var(--accent)" : "var(--quiet)" }));
}

/** A picture with what it shows in words, for those who do not see it; a wide page does not blow its letters up. */
function chart(width, height, parts, words) {
  return el("svg", { viewBox: `0 0 ${width} ${height}`, style: `max-width: ${1.2 * width}px`, role: "img", "aria-label": words }, parts);
}

function figure(caption, picture, runs) {
  const names = runs.length > 1 ? runs.map((run, place) =>
    el("span", {}, el("span", { style: `color:${COLOURS[place % COLOURS.length]}`, "aria-hidden": "true" }, " ● "), run.name)) : [];
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
    el("rect", { x: Math.min(x(0), x(row.value)), y: line * step + 4, width: Math.max(1, Math.abs(x(row.value) - x(0))), height: step - 7, rx: 2,
      fill: COLOURS[row.place % COLOURS.length] }),
    el("text", { x: Math.max(x(0), x(row.value)) + 5, y: line * step + 14 }, written(row.value))]);
  return chart(width, rows.length * step + 6, parts,
    `${title}: ${groups.map((group) => `${group.label} ${group.values.map(written).join(" and ")}`).join(", ")}`);
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
    return [...values.map((count, part) => el("rect", { x: left + place * step + 1, y: y(below += count), width: Math.max(1, step - 2), height: y(0) - y(count),
      fill: names[part][1] })),
      place % every ? null : el("text", { x: left + (place + 0.5) * step, y: height - 5, "text-anchor": "middle" }, label)];
  });
  const axis = [0, most].map((count) => el("text", { x: left - 5, y: y(count) + 4, "text-anchor": "end" }, String(count)));
  const words = buckets.map(({ label, values }) => `${label}: ${values.map((count, part) => `${names[part][0]} ${count}`).join(", ")}`);
  return figure(caption, chart(width, height, [...columns, ...axis], `${caption}: ${words.join("; ")}`), []);
}

/** A line for each run through its points, [x, share, low, high], with their intervals; `label` names a whole x. */
function lines(caption, runs, pointsOf, label) {
  const width = 420, height = 230, left = 34, right = 26, top = 10, bottom = 28;
  const all = runs.map(pointsOf), places = all.flat().map(([x]) => x), least = Math.min(...places), most = Math.max(...places);
  const x = (place) => left + 10 + (most === least ? 0.5 : (place - least) / (most - least)) * (width - left - right - 20);
  const y = (share) => top + (1 - share) * (height - top - bottom);
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    el("line", { x1: left, x2: width - right, y1: y(share), y2: y(share), stroke: "var(--line)" }),
    el("text", { x: left - 6, y: y(share) + 4, "text-anchor": "end" }, share.toFixed(2))]);
  for (let place = least; place <= most; place++) parts.push(el("text", { x: x(place), y: height - 8, "text-anchor": "middle" }, label(place)));
  all.forEach((points, run) => {
    const stroke = COLOURS[run % COLOURS.length], beside = 3 * (run - (runs.length - 1) / 2); // intervals do not hide one another
    const at = points.map(([place, share, low, high]) => [x(place) + beside, y(share || 0), y(low || 0), y(high || 0)]);
    parts.push(...at.map(([px, , low, high]) => el("line", { x1: px, x2: px, y1: low, y2: high, stroke, "stroke-width": 2, opacity: 0.35 })),
      el("path", { d: `M${at.map(([px, py]) => `${px},${py}`).join("L")}`, fill: "none", stroke, "stroke-width": 2 }),
      ...at.map(([cx, cy]) => el("circle", { cx, cy, r: 3.5, fill: stroke })));
  });
  const words = runs.map((run, place) => `${run.name}: ${all[place].map(([each, share]) => `${label(each)}: ${number(share)}`).join(", ")}`);
  return figure(caption, chart(width, height, parts, words.join("; ")), runs);
}

export function passPlot(runs) {
  const points = ({ summary }) => Object.entries(summary.pass_hat).map(([k, value]) => [Number(k), value, ...(summary.pass_hat_interval[k] || [value, value])]);
  return lines("pass^k with 95 % intervals", runs, points, (k) => `k = ${k}`);
}

export function depthPlot(runs) {
  const having = runs.filter((run) => (run.summary.by_depth || {}).depth);
  const points = ({ summary }) => Object.entries(summary.by_depth.depth).map(([depth, row]) => [Number(depth), row.pass, row.low, row.high]).sort(([one],
    [other]) => one - other);
  return having.length ? lines("pass^1 by depth with 95 % intervals", having, points, (depth) => `depth ${depth}`) : null;
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
