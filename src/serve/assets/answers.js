// Sends what a person answers, and says what became of it.
import { keep } from "./kept.js";

const said = document.getElementById("said");
let timer = 0;
/** Whether what became of an answer is still shown. */
let isAnswer = false;

/** Read out by screen readers, and shown for a while. */
export function say(text, isBad = false) {
  show(text, isBad);
  isAnswer = true;
}

/** The same for what happened by itself; what became of an answer stays in front of it. */
export function announce(text) {
  if (isAnswer && said.textContent !== "") said.textContent += ` ${text}`;
  else show(text, false);
}

/** As the server shows them: characters that are invisible or change the direction of what follows. */
const hidden = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const visible = (text) => text.replace(hidden, (found) => `⟨U+${found.charCodeAt(0).toString(16).toUpperCase()}⟩`);

function show(text, isBad) {
  isAnswer = false;
  said.textContent = visible(text);
  said.classList.toggle("bad", isBad);
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      said.textContent = "";
    },
    isBad ? 20_000 : 8_000,
  );
}

/** What was answered from here: that it is gone is no news. */
export const answered = new Set();

export function listen() {
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    if (form.dataset.to !== undefined) void send(form);
  });
}

async function send(form) {
  if (form.dataset.isBusy !== undefined) return;
  const ask = form.closest("[data-ask]");
  form.dataset.isBusy = "";
  if (ask !== null) answered.add(ask.id);
  try {
    const response = await fetch(form.dataset.to, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(bodyOf(form)),
    });
    const answer = await response.json();
    if (!response.ok) return failed(ask, `${answer.error.what} ${answer.error.why}`);
    say([form.dataset.done, answer.note ?? ""].join(" ").trim(), Boolean(answer.note));
    form.reset();
    for (const details of form.querySelectorAll("details")) details.open = false;
  } catch {
    failed(ask, "The server could not be reached. Nothing was sent twice; try again when it is back.");
  } finally {
    delete form.dataset.isBusy;
  }
}

/** What was asked may have gone from the page while the answer was under way. */
function failed(ask, text) {
  say(text, true);
  if (ask === null) return;
  answered.delete(ask.id);
  if (!ask.isConnected) keep([ask], null, text);
}

function bodyOf(form) {
  const body = JSON.parse(form.dataset.body);
  for (const field of form.elements) {
    if (field.name === "") continue;
    const value = field.type === "number" ? Number(field.value) : field.value;
    const [first, second] = field.name.split(".");
    if (second === undefined) body[first] = value;
    else body[first] = { ...body[first], [second]: value };
  }
  return body;
}
