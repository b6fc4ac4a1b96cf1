// Elements, figures and announcements: what every view draws with. Text is always text, never parsed as HTML.

const SVG = new Set(["svg", "line", "path", "circle", "rect", "text", "g", "title", "desc"]);

/** An element with attributes (`onNAME` listens; null and false are left out) and children. */
export function el(tag, attributes = {}, ...children) {
  const node = SVG.has(tag) ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (known(value) && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (known(child) && child !== false) node.append(child);
  return node;
}

export const quiet = (...words) => el("p", { class: "quiet" }, words);
export const tag = (words, mark = null) => (words ? el("span", { class: mark ? `tag ${mark}` : "tag" }, words) : null);
export const press = (words, act) => el("button", { type: "button", onclick: act }, words);
export const fold = (summary, ...inside) => el("details", {}, el("summary", {}, summary), inside);
export const anchor = (words, href) => el("a", { href }, words);
export const faint = (...words) => el("span", { class: "quiet" }, words);
export const pre = (text) => el("pre", { tabindex: "0" }, text);
export const code = (...words) => el("p", { class: "code" }, words);
export const scrolling = (label, ...inside) => el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, inside);

/** The link to what is shown as one file; null where there is none. */
export const saving = (file) => (file ? el("a", { href: file, id: "export", download: "" }, "save as one file") : null);

/** A form; `submit` takes the place of the browser's own way to send it. */
export const form = (submit, attributes, ...inside) => el("form", { ...attributes, onsubmit: (event) => { event.preventDefault(); submit(); } }, inside);

/** The pages above this one, [words, address]. */
export const path = (...above) => el("p", { class: "path" }, above.map(([words, href]) => [anchor(words, href), " / "]));

/** A field to search by; `search` is called with what stands in it. */
export const searching = (label, search, more = {}) => el("input", { type: "search", "data-search": "", "aria-label": label, placeholder: label,
  oninput: (event) => search(event.target.value), ...more });

/** What a `select` offers: [value, words]. */
export const options = (values, chosen) => values.map(([value, words]) => el("option", { value, selected: String(value) === String(chosen) }, words));

/** A box that `fill(answer)` fills once the answer has come; or it says why none came. */
export function awaited(answer, fill, words = "Loading…", more = {}) {
  const box = el("div", { ...more, "aria-busy": "true" }, quiet(words));
  answer.then(fill).catch((error) => problem(error.message)).then((found) => {
    box.replaceChildren(...[found].flat(Infinity).filter(known));
    box.removeAttribute("aria-busy");
  });
  return box;
}

export const known = (value) => value !== null && value !== undefined;
export const number = (value, digits = 3) => (known(value) ? Number(value).toFixed(digits) : "–");
export const percent = (value) => (known(value) ? `${(100 * value).toFixed(1)} %` : "–");
export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
export const scoreClass = (score) => ({ "1": "p", "0": "z", "-1": "m" })[String(score)] || "";
export const scoreMark = (score) => ({ "1": "good", "0": "mid", "-1": "bad" })[String(score)] || "quiet";

/** Seconds as people say them: 0.02 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function duration(seconds) {
  if (!known(seconds) || !Number.isFinite(seconds)) return "–";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A moment in seconds since 1970, as day and minute. */
export const moment = (seconds) => (known(seconds) ? new Date(seconds * 1000).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "–");

/** A small table that is shown whole; `numeric` are the places of columns of figures. */
export function table(headings, rows, numeric = []) {
  const cell = (tag, value, place) => el(tag, { class: numeric.includes(place) ? "n" : null, scope: tag === "th" ? "col" : null }, value);
  return scrolling(headings.join(", "), el("table", {},
    el("thead", {}, el("tr", {}, headings.map((heading, place) => cell("th", heading, place)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((value, place) => cell("td", value, place)))))));
}

/** Say something to a screen reader without moving the focus. */
export function announce(text) {
  const region = document.getElementById("announcements");
  if (region) region.textContent = text;
}

/** A sentence in place of what could not be shown. */
export function problem(text, ...more) {
  return el("div", { class: "problem", role: "alert" }, el("p", {}, text), ...more);
}

/** Put text on the clipboard and say so. */
export async function copy(text, button) {
  await navigator.clipboard.writeText(text);
  announce("Copied");
  if (!button) return;
  const before = button.textContent;
  button.textContent = "copied";
  setTimeout(() => { button.textContent = before; }, 1200);
}
