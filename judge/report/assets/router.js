// Addresses. Every state of the page stands behind the `#`, so that it can be copied, in the live page and the static report alike.
// docs/viewer.md lists them.
//
// RUN is the run's id: its folder's path below the one that is viewed, percent-encoded as one part. What stands behind
// the `?` is the view's own and decides nothing about which view is shown. A former link of the report
// (`#RUN/TASK/TRIAL/turn-3`) leads to the same place.
//
// A view is a module that exports
//   title(params)                    what the window is called, and a screen reader told
//   render(container, params, source) -> { shown?, update?, dispose?, keys? }   (may be async)
// `params` is { run, task, trial: Number, query: URLSearchParams }. `container` is not in the
// page yet; `shown()` is called once it is (to scroll, to measure). `update(params)` is called instead of a new render
// where only the query has changed, and answers false where that makes it another page; `dispose()` when the view is left; `keys` are its own keys (keys.js).
// A view changes its own query by `setQuery`, without another entry in the history unless asked for one.

import { known } from "toolgym/dom.js";

const PATTERNS = [
  ["runs", /^\/runs$/, []],
  ["run", /^\/run\/([^/]+)$/, ["run"]],
  ["summary", /^\/run\/([^/]+)\/summary$/, ["run"]],
  ["annotate", /^\/run\/([^/]+)\/annotate$/, ["run"]],
  ["agreement", /^\/run\/([^/]+)\/agreement$/, ["run"]],
  ["episode", /^\/run\/([^/]+)\/episode\/([^/]+)\/(\d+)$/, ["run", "task", "trial"]],
  ["compare", /^\/compare$/, []],
  ["worlds", /^\/worlds$/, []], ["worlds", /^\/world\/([^/]+)$/, ["world"]],
  ["tables", /^\/tables$/, []], ["tables", /^\/table\/([^/]+)$/, ["table"]],
  ["sessions", /^\/sessions$/, []], ["sessions", /^\/session\/(\d+)$/, ["number"]],
  ["play", /^\/play$/, []], ["play", /^\/play\/([^/]+)$/, ["conversation"]],
];
const FORMER = /^([^/]+)\/(.+?)\/(\d+)(?:\/turn-(\d+))?$/;

const part = encodeURIComponent;
const query = (values) => {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => known(value) && value !== "")).toString();
  return text ? `?${text}` : "";
};

const three = ({ run, task, trial }) => [run, task, trial].map(part).join("/");

/** Links to every place, as `href`s; `part` names an episode in a query. */
export const link = {
  part: three,
  runs: (values = {}) => `#/runs${query(values)}`,
  run: (run, values = {}) => `#/run/${part(run)}${query(values)}`,
  summary: (run) => `#/run/${part(run)}/summary`,
  episode: (run, task, trial, values = {}) => `#/run/${part(run)}/episode/${part(task)}/${trial}${query(values)}`,
  annotate: (run, values = {}) => `#/run/${part(run)}/annotate${query(values)}`,
  agreement: (run, values = {}) => `#/run/${part(run)}/agreement${query(values)}`,
  worlds: () => "#/worlds",
  tables: () => "#/tables",
  table: (id, values = {}) => `#/table/${part(id)}${query(values)}`,
  sessions: () => "#/sessions",
  session: (number) => `#/session/${number}`,
  world: (name, values = {}) => `#/world/${part(name)}${query(values)}`,
  play: (id = null, values = {}) => `#/play${id === null ? "" : `/${part(id)}`}${query(values)}`,
  compareRuns: (runs) => `#/compare?${runs.map((run) => `run=${part(run)}`).join("&")}`,
  compareEpisodes: (episodes) => `#/compare?${episodes.map((each) => `episode=${part(three(each))}`).join("&")}`,
};

/** What a `#` means: `{ view, params }`, or null where it means nothing. */
export function parse(hash) {
  const [path, search = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  for (const [view, pattern, names] of PATTERNS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const params = { query: new URLSearchParams(search) };
    try {
      names.forEach((name, place) => { params[name] = decodeURIComponent(found[place + 1]); });
    } catch { return null; }
    if ("trial" in params) params.trial = Number(params.trial);
    return { view, params, path };
  }
  return null;
}

/** The present address of a link that the report had before, or null. */
export function former(hash) {
  let text;
  try { text = decodeURIComponent(hash.replace(/^#/, "")); } catch { return null; }
  const found = text.startsWith("/") ? null : FORMER.exec(text);
  return found && link.episode(found[1], found[2], found[3], { turn: found[4] });
}

/** Change the query of the address: null and "" take a value away, a list sets it several times. */
export function setQuery(values, { push = false } = {}) {
  const [path, search = ""] = location.hash.split(/\?(.*)/s);
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(values)) {
    params.delete(name);
    for (const each of [value].flat()) if (known(each) && each !== "") params.append(name, each);
  }
  const text = params.toString(), hash = path + (text ? `?${text}` : "");
  if (hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", hash);
  return params;
}

/** Go to an address as a link would. */
export function go(href) { location.hash = href; }
