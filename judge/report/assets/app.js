// The page: finds the view of an address, draws it, and keeps what all views share (title, theme, keys, announcements).

import * as agreement from "toolgym/agreement.js";
import * as annotate from "toolgym/annotate.js";
import * as compare from "toolgym/compare.js";
import { anchor, announce, el, problem } from "toolgym/dom.js";
import * as episode from "toolgym/episode.js";
import * as run from "toolgym/episodes.js";
import { listen, overlay, useKeys } from "toolgym/keys.js";
import { former, link, parse } from "toolgym/router.js";
import * as runs from "toolgym/runs.js";
import * as summary from "toolgym/summary.js";

/** A view that only the live page has: reports do not carry its module. */
const live = (name, title, has = "live") => ({
  title,
  render: async (page, params, source) => {
    if (source.live && !source[has]) throw new Error("This viewer is read-only.");
    if (!source.live) throw new Error(`${title(params)} needs the viewer: \`toolgym view\`.`);
    return (await import(`toolgym/${name}.js`)).render(page, params, source);
  },
});
const play = live("play", (params) => (params.conversation === undefined ? "Play" : `Play ${params.conversation}`), "writable");
const sessions = live("sessions", (params) => (params.number === undefined ? "Sessions" : `Session ${params.number}`));
const tables = live("tables", (params) => params.table ?? "Tables");
const worlds = live("worlds", (params) => params.world || "Worlds");
const VIEWS = { runs, run, summary, episode, annotate, agreement, compare, worlds, sessions, tables, play };
let shown = { view: null, path: null, handle: {} };
let drawing = 0; // an answer that comes after the next address was asked for is thrown away

/** Start the page with a source of data; `home` is the address that an empty one stands for. */
export function start(source, home = link.runs()) {
  theme();
  listen();
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
  document.getElementById("keys").addEventListener("click", overlay);
  const follow = () => show(source, home);
  addEventListener("hashchange", follow);
  addEventListener("popstate", () => { if (parse(location.hash)?.path === shown.path) follow(); });
  return follow();
}

async function show(source, home) {
  if (!location.hash || location.hash === "#") history.replaceState(null, "", home);
  const before = former(location.hash);
  if (before) history.replaceState(null, "", before);
  const found = parse(location.hash), main = document.getElementById("main"), mine = ++drawing;
  if (found && found.path === shown.path && shown.handle.update && shown.handle.update(found.params) !== false) return;
  shown.handle.dispose?.();
  shown = { view: null, path: null, handle: {} };
  useKeys();
  document.body.removeAttribute("data-ready");
  main.setAttribute("aria-busy", "true");
  const page = el("div", { class: `view ${found?.view || "unknown"}` });
  try {
    if (!found) throw new Error(`There is no page ${location.hash}.`);
    const view = VIEWS[found.view], handle = (await view.render(page, found.params, source)) || {};
    if (mine !== drawing) return handle.dispose?.();
    shown = { view: found.view, path: found.path, handle };
    useKeys(handle.keys);
    document.title = `${view.title(found.params)} · toolgym`;
  } catch (error) {
    if (mine !== drawing) return;
    page.replaceChildren(el("h1", {}, "Not found"), problem(error.message), el("p", {}, anchor("To the start", home)));
    document.title = "Not found · toolgym";
  }
  main.replaceChildren(page);
  main.removeAttribute("aria-busy");
  scrollTo(0, 0);
  shown.handle.shown?.();
  announce(document.title);
  document.body.dataset.ready = "yes";
}

function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const set = () => { root.dataset.theme = kept() || (dark.matches ? "dark" : "light"); };
  set();
  dark.addEventListener("change", set);
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* a file's page may not keep anything */ }
  });
}
