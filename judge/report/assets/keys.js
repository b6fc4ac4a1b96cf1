// Keys: those of the whole page and of the view that is shown, and the overlay that lists them.

import { el, press, quiet } from "toolgym/dom.js";

const GLOBAL = {
  "/": [() => document.querySelector("[data-search]")?.focus(), "go to the search"],
  "?": [() => overlay(), "show this list"],
  Escape: [() => leave(), "leave the search, close this list"],
};
let own = {};

/** The view's keys: `{ key: [what it does, in words] }`; they replace those of the view before. */
export function useKeys(keys = {}) { own = keys; }

function leave() {
  document.getElementById("help").close();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/** Open or close the list of keys. */
export function overlay() {
  const box = document.getElementById("help");
  if (box.open) return box.close();
  const rows = Object.entries({ ...own, ...GLOBAL }).map(([key, [, words]]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, words)));
  box.replaceChildren(el("h2", { id: "help-title" }, "Keys"), el("dl", {}, rows),
    quiet("The address holds everything that is shown: copy it to show somebody else the same."), press("Close", () => box.close()));
  box.showModal();
}

/** Listen to the keyboard; nothing is taken from a field that is written in, but Escape. */
export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (typing && event.key !== "Escape") return;
    const found = own[event.key] || GLOBAL[event.key];
    if (!found || (document.getElementById("help").open && !GLOBAL[event.key])) return;
    event.preventDefault();
    found[0](event);
  });
}
