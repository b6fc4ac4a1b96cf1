// Where the data come from: the server (`served`), the report that they travel in (`inlined`), a site's files (`published`). One form for all.
//
//   live                          whether runs can change while they are looked at
//   listed                        whether there is a list of runs to go back to
//   writable                      whether this page may change them: play, score, call
//   runs()                        -> { folder, runs: [RunRow] }            judge/report/run_row.py says what a RunRow holds
//   run(id)                       -> { id, name, row, settings, summary, failures, progress? }
//   table(id)                     -> { rows: [episodes as objects], damaged: [sentences], place: for `watch` }
//                                    judge/evaluation/episode_index.py: COLUMNS
//   episode(id, task, trial)      -> one episode, everything about it       judge/report/episode_data.py
//   prompt(id, task, trial)       -> what its agent was told                judge/report/prompt.py
//   record(id, task, trial)       -> { trajectory, score } as the files hold them; in a report what `episode` gives
//   exported(values)              -> the address of one file with these `episode`s or `run`s; null in a report
//   comparison(ids)               -> what `toolgym compare --json` writes, or { refused: why }
//   find(id, words, signal)       -> Set of "TASK/TRIAL" whose text holds all words
//   annotated(id, form)           -> the address of its scores by people as a file (live page only)
//   ask(path, values, sent)       -> anything else of the server's: toolgym/viewer says what a path answers (live page only)
//   watchSessions(number, listener) -> the same of one session of a watched server, or of their list where it is null
//                                    toolgym/viewer/sessions.py: the kinds (live page only)
//   sent(path, recording), watchPlay(id, version, listener)              toolgym/viewer/play/routes.py (live page only)
//   watch(id, place, listener)    -> a function that stops it; listener({ kind, ... }) for what changes in a run after a
//                                    place, or in the list of runs where id is null    toolgym/viewer/events.py: the kinds
// What is not there is an Error with a sentence for people.

/** Rows as objects. */
export const unpackRows = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, place) => [name, row[place]])));

/** The server's data; its addresses are relative to the page's, which may lie below a proxy's path. */
export function served({ writable = true } = {}) {
  const base = "api";
  const get = async (path, values = {}, sent = null, type = "application/json", signal = undefined) => {
    const search = new URLSearchParams(Object.entries(values).flatMap(([name, value]) => [value].flat().map((each) => [name, each])));
    const posted = sent === null ? { signal } : { method: "POST", headers: { "content-type": type }, body: type === "application/json" ? JSON.stringify(sent)
      : sent };
    const answer = await fetch(`${base}${path}${search.size ? `?${search}` : ""}`,
      posted).catch(() => { throw Object.assign(new Error("The server does not answer; is `toolgym view` still running?"), { unreachable: true }); });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.detail || `The server answered ${answer.status}.`);
    return body;
  };
  return {
    live: true,
    listed: true,
    writable,
    ask: get,
    sent: (path, recording) => get(path, {}, recording, "audio/wav"),
    runs: () => get("/runs"),
    run: (id) => get("/run", { id }),
    table: async (id) => { const found = await get("/episodes", { id }); return { rows: unpackRows(found), damaged: found.damaged, place: found.place }; },
    episode: (id, task, trial) => get("/episode", { id, task, trial }),
    prompt: (id, task, trial) => get("/prompt", { id, task, trial }),
    record: (id, task, trial) => get("/record", { id, task, trial }),
    exported: (values) => `${base}/export?${new URLSearchParams(Object.entries(values).flatMap(([name, list]) => list.map((each) => [name, each])))}`,
    comparison: (ids) => get("/comparison", { id: ids }),
    annotated: (id, form) => `${base}/annotations/export?${new URLSearchParams({ id, form })}`,
    find: async (id, words, signal) => new Set((await get("/find", { id, words }, null, undefined, signal)).found),
    watch: (id, place, listener) => {
      const [generation, rows_seen, judged] = place || [0, 0, 0];
      return followed(`${base}/events${id === null ? "" : `?${new URLSearchParams({ id, generation, rows_seen, judged })}`}`, listener);
    },
    watchPlay: (id, version, listener) => followed(`${base}/play/events?${new URLSearchParams({ id, version })}`, listener),
    watchSessions: (number, listener) => followed(`${base}/sessions${number === null ? "" : `?number=${number}`}`, listener),
  };
}

/** Listen to a stream of the server for as long as the page is in sight; returns a function that stops it. */
function followed(address, listener) {
  // Only a page in sight holds a connection: a browser has six to a server, kept pages and other tabs included.
  let stream = null, over = false;
  const close = () => { stream?.close(); stream = null; };
  const open = () => {
    if (stream || over || document.hidden) return;
    stream = new EventSource(address);
    stream.onmessage = (event) => { const found = JSON.parse(event.data); if (found.kind === "gone") { over = true; close(); } listener(found); };
  };
  const follow = () => (document.hidden ? close() : open());
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
  return () => {
    over = true;
    close();
    document.removeEventListener("visibilitychange", follow);
    removeEventListener("pagehide", close);
    removeEventListener("pageshow", open);
  };
}

/** What was written beforehand and does not change; each function gives what the server's answer of that name holds. */
function still({ listed, runs, run, episodes, talk, prompt, texts, comparison }) {
  const table = async (id) => { const found = await episodes(id); return { rows: unpackRows(found), damaged: found.damaged || [], place: null }; };
  return {
    live: false, writable: false, listed, runs, run, table, comparison, episode: talk, record: talk,
    prompt: async (id, task, trial) => prompt(id, task, trial, (await talk(id, task, trial)).prompt),
    exported: () => null,
    find: async (id, words) => {
      const wanted = words.toLowerCase().split(/\s+/);
      const held = Object.entries(await texts(id)).filter(([, text]) => wanted.every((word) => text.includes(word)));
      return new Set(held.map(([key]) => key));
    },
    watch: () => () => {},
  };
}

/** The report's data, unpacked. */
export function inlined(data) {
  const runOf = (id) => {
    const found = data.runs.find((run) => run.id === id);
    if (!found) throw new Error(`There is no run ${id} in this report.`);
    return found;
  };
  const texts = new Map();
  const textOf = (talk) => JSON.stringify([talk.task, talk.scenario, talk.messages, talk.reasons]).toLowerCase();
  return still({
    listed: false,
    runs: async () => ({ folder: "", runs: data.runs.map((run) => run.row) }),
    run: async (id) => runOf(id),
    episodes: async (id) => runOf(id).episodes,
    talk: async (id, task, trial) => {
      const found = runOf(id).payloads[`${task}/${trial}`];
      if (!found) throw new Error(`There is no episode ${task}, trial ${trial} in ${id}.`);
      return found;
    },
    prompt: (id, task, trial, key) => runOf(id).prompts[key],
    texts: async (id) => {
      if (!texts.has(id)) texts.set(id, Object.fromEntries(Object.entries(runOf(id).payloads).map(([key, talk]) => [key, textOf(talk)])));
      return texts.get(id);
    },
    comparison: async (ids) => (JSON.stringify(ids) === JSON.stringify(data.compared) ? data.comparison
      : { refused: `This report compares ${data.compared.join(", ")}, in this order.` }),
  });
}

/** A site's files (judge/report/site.py), each read once, when it is needed. */
export function published(base = "data") {
  const kept = new Map();
  const load = async (name) => {
    const answer = await fetch(`${base}/${name}.bin`).catch(() => null);
    if (!answer?.ok) throw new Error("A file of this site is not there; is it served whole, by a web server?");
    return JSON.parse(await new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).text());
  };
  const read = (name) => {
    if (!kept.has(name)) kept.set(name, load(name));
    return kept.get(name);
  };
  const numberOf = async (id) => {
    const found = (await read("runs")).runs.findIndex((row) => row.id === id);
    if (found < 0) throw new Error(`There is no run ${id} on this site.`);
    return found;
  };
  const of = async (id, name) => read(`${await numberOf(id)}/${name}`);
  const shard = async (id, task, trial) => {
    const { keys, each } = await of(id, "keys"), place = keys.indexOf(`${task}/${trial}`);
    if (place < 0) throw new Error(`There is no episode ${task}, trial ${trial} in ${id}.`);
    return of(id, `talks-${Math.floor(place / each)}`);
  };
  return still({
    listed: true,
    runs: () => read("runs"),
    run: (id) => of(id, "run"),
    episodes: (id) => of(id, "episodes"),
    talk: async (id, task, trial) => (await shard(id, task, trial)).talks[`${task}/${trial}`],
    prompt: async (id, task, trial, key) => (await shard(id, task, trial)).prompts[key],
    texts: (id) => of(id, "texts"),
    comparison: async ([first, ...others]) => {
      const one = await numberOf(first), pairs = await Promise.all(others.map(async (id) => read(`compared/${one}-${await numberOf(id)}`)));
      const refused = pairs.find((pair) => pair.refused);
      if (refused) return refused;
      return { ...pairs[0], comparisons: pairs.flatMap((pair) => pair.comparisons), uncorrected: pairs.length > 1 };
    },
  });
}

/** Unpack what travels in the page, base64 of gzip of JSON. */
export async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
