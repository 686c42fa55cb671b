// Keeps the page as the server sees it: parts are replaced, lines of a session are added.
import { announce, answered, listen } from "./answers.js";
import { showTimes } from "./clock.js";
import { keepConnected } from "./connection.js";
import { keep, typedNow } from "./kept.js";
import { patch } from "./morph.js";

/** A page that is opened with a token and needs none any more: it does not stay in the address. */
function withoutToken() {
  if (new URLSearchParams(location.hash.slice(1)).has("token"))
    history.replaceState(null, "", `${location.pathname}${location.search}`);
}
withoutToken();
window.addEventListener("hashchange", withoutToken);

const main = document.getElementById("main");
const connection = document.getElementById("connection");
const { version } = main.dataset;
const search = document.getElementById("search");

function show({ title, parts }) {
  const [before, typed, focused] = [asksNow(), typedNow(), document.activeElement];
  for (const [name, html] of Object.entries(parts)) patch(document.getElementById(`part-${name}`), html);
  document.title = title;
  keep(
    typed.filter((ask) => !ask.isConnected && !answered.has(ask.id)),
    focused,
  );
  showTimes();
  filter();
  tellAbout(before, asksNow());
}

const asksNow = () =>
  new Map([...document.querySelectorAll("[data-ask]")].map((element) => [element.id, element.dataset.ask]));

let isFirst = true;
function tellAbout(before, after) {
  const [gone, come] = [
    [...before].filter(([id]) => !after.has(id) && !answered.has(id)),
    [...after].filter(([id]) => !before.has(id)),
  ];
  if (gone.length > 0) announce(`No longer waits for you: ${gone.map(([, name]) => name).join(", ")}`);
  else if (come.length > 0 && !isFirst) announce(`Waits for you: ${come.map(([, name]) => name).join(", ")}`);
  isFirst = false;
}

let shownSession = document.getElementById("log")?.dataset.session;
/** Lines have numbers: none is shown twice, and none is left out. */
function addLines({ session, lines }) {
  const log = document.getElementById("log");
  if (log === null) return;
  const box = log.parentElement;
  const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
  if (session !== shownSession) log.replaceChildren();
  shownSession = session;
  let last = Number(log.lastElementChild?.dataset.n ?? 0);
  for (const { n, is, text } of lines) {
    if (n <= last) continue;
    const line = document.createElement("li");
    line.dataset.n = n;
    line.className = is;
    line.textContent = text;
    log.append(line);
    last = n;
  }
  while (log.childElementCount > Number(log.dataset.max)) log.firstElementChild.remove();
  if (isAtEnd) box.scrollTop = box.scrollHeight;
}

function filter() {
  if (search === null) return;
  const words = search.value.toLowerCase().split(/\s+/);
  const rows = [...document.querySelectorAll("[data-searched] > li")];
  for (const row of rows) row.hidden = !words.every((word) => row.dataset.text.includes(word));
  const nothing = document.querySelector("[data-nothing]");
  if (nothing !== null) nothing.hidden = rows.some((row) => !row.hidden);
}

listen();
showTimes();
setInterval(showTimes, 1_000);
search?.addEventListener("input", filter);
const box = document.getElementById("tail-box");
if (box !== null) box.scrollTop = box.scrollHeight;
keepConnected(main, connection, {
  hello: ({ version: served }) => {
    if (served !== version) location.reload();
  },
  parts: show,
  tail: addLines,
});
