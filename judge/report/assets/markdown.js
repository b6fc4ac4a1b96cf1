// Markdown as elements. A vendored parser gives tokens and each is made an element here: nothing is read as HTML, nothing is
// loaded, links lead to the web alone. What rendered text would hide (HTML, comments, images, invisible signs) stands as it is, marked.

import { el, pre, scrolling } from "toolgym/dom.js";
import { Lexer } from "toolgym/vendor/marked.js";

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/u;
const SIGNS = /[*_`~#>|[\]<\\]|^\s*(?:[-+]|\d+[.)])\s|^ {4}|https?:|www\./m; // without one of them a text is plain
const WEB = /^(?:https?:|mailto:)/i;

/** A message: rendered, and beside it as it was written where that is not the same (`.rendered`, `.source`). */
export function prose(text) {
  if (!SIGNS.test(text)) return el("div", {}, plain(text));
  return [el("div", { class: "rendered" }, blocks(new Lexer({ gfm: true, breaks: true }).lex(text))), el("div", { class: "source" }, plain(text))];
}

/** Text whose invisible signs are shown by their numbers. */
function plain(text) {
  return text.split(new RegExp(`(${INVISIBLE.source})`, "u")).map((part, place) => (place % 2
    ? unshown([...part].map((sign) => `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ")) : part));
}

const unshown = (text) => el("code", { class: "unshown", title: "rendered, a person would not see this" }, text);
const blocks = (tokens) => tokens.map(block);
const inlines = (token) => (token.tokens ? token.tokens.map(inline) : plain(token.text ?? token.raw));

function block(token) {
  switch (token.type) {
    case "space": return null;
    case "heading": return el("p", {}, el("strong", {}, inlines(token)));
    case "paragraph": return el("p", {}, inlines(token));
    case "text": return el("span", {}, inlines(token));
    case "code": return pre(plain(token.text));
    case "blockquote": return el("blockquote", {}, blocks(token.tokens));
    case "hr": return el("hr");
    case "list": return el(token.ordered ? "ol" : "ul", { start: token.ordered && token.start !== 1 ? token.start : null },
      token.items.map((item) => el("li", {}, item.task ? `${item.checked ? "☑" : "☐"} ` : null,
        blocks(item.tokens.filter(({ type }) => type !== "checkbox")))));
    case "table": return scrolling("table", el("table", {},
      el("thead", {}, el("tr", {}, token.header.map((cell) => el("th", { scope: "col" }, inlines(cell))))),
      el("tbody", {}, token.rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, inlines(cell))))))));
    default: return inline(token);
  }
}

function inline(token) {
  switch (token.type) {
    case "strong": case "em": case "del": return el(token.type, {}, inlines(token));
    case "codespan": return el("code", {}, plain(token.text));
    case "br": return el("br");
    case "escape": return plain(token.text);
    case "text": return inlines(token);
    case "link": return WEB.test(token.href)
      ? [el("a", { href: token.href, rel: "noopener noreferrer", target: "_blank" }, inlines(token)), token.href.endsWith(token.text) ? null
        : unshown(token.href)] : unshown(token.raw);
    default: return unshown(token.raw); // html, images, definitions
  }
}
