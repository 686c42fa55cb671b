// What went wrong: changes that were caught and undone, what waits for a person, decisions, and other notes.

import { shortened } from "../../formats/text/shortened.ts";
import type { Overview } from "../overview.ts";
import { type IterationOverview, isTroubled } from "../overview-iteration.ts";
import { lineAfterLabel } from "../words/cause-words.ts";
import { addressedTo } from "../words/left.ts";
import { isoTime } from "../words/words.ts";
import { html, type Markup, none } from "./markup.ts";

const shownMax = 100;

export function caughtPart({ iterations, run }: Overview): Markup {
  const rows = iterations.filter(isTroubled);
  if (rows.length === 0) return none;
  return html`<section aria-labelledby="caught"><h2 id="caught">Problems along the way</h2>
<p class="small">What was not believed, undone or set aside. Only what a person took later is in a commit.</p>
<ul class="plain">${rows.slice(0, shownMax).map(caughtRow)}</ul>${rows.length > shownMax ? html`<p class="small">And ${rows.length - shownMax} more: <code class="copy">${addressedTo(run, "loop show")}</code></p>` : none}</section>`;
}

function caughtRow(it: IterationOverview): Markup {
  const rest = (it.cause?.text ?? "").split("\n").slice(1).join("\n").trim();
  return html`<li><b>${it.feature}, attempt ${it.attempt}</b>${it.cause === null ? none : html`: ${it.cause.label}. ${shortened(lineAfterLabel(it.cause), 400)}`}
${it.violations.map(({ what }) => html`<br>${shortened(what, 400)}`)}
${it.isRolledBack ? html`<br>Rolled back${it.recover === null ? "." : html`; it is kept, and comes back with <code class="copy">loop recover ${it.recover}</code>`}` : none}
${rest === "" ? none : html`<details><summary>What was seen</summary><pre tabindex="0">${shortened(rest, 4000)}</pre></details>`}</li>
`;
}

export function wholePart({ whole }: Overview): Markup {
  if (whole.length === 0) return none;
  return html`<section aria-labelledby="whole"><h2 id="whole">The whole</h2>
<ul class="plain">${whole.slice(0, shownMax).map((line) => html`<li>${shortened(line, 500)}</li>`)}</ul></section>`;
}

export function inboxPart({ inbox: items, run }: Overview): Markup {
  if (items.length === 0) return none;
  return html`<section aria-labelledby="inbox"><h2 id="inbox">Waits for you</h2>
${items.slice(0, shownMax).map(
  (
    item,
  ) => html`<article><h3>${item.feature ?? "run"} <span class="status ${item.kind === "question" ? "fair" : "bad"}">${item.kind.replaceAll("-", " ")}</span></h3>
<p>${shortened(item.text, 2000)}</p>
<p><b>Root cause:</b> ${shortened(item.rootCause, 500)}</p>
${item.supposition === null ? none : html`<p><b>The agent would:</b> ${shortened(item.supposition, 1000)}</p>`}
<p><b>Next:</b> ${item.next}</p></article>
`,
)}${items.length > shownMax ? html`<p>And ${items.length - shownMax} more: <code class="copy">${addressedTo(run, "loop inbox")}</code></p>` : none}</section>`;
}

export function decisionsPart({ decisions }: Overview): Markup {
  if (decisions.length === 0) return none;
  return html`<section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>
<ul class="plain">${decisions.slice(-shownMax).map(({ question, answer, source }) => html`<li>${shortened(question, 500)}<br><b>${source === "person" ? "You said" : "Supposed"}:</b> ${shortened(answer, 500)}</li>`)}</ul></section>`;
}

/** `when`: how a time is written. */
export function notesPart({ notes }: Overview, when: (at: number) => string | Markup = isoTime): Markup {
  if (notes.length === 0) return none;
  return html`<section aria-labelledby="notes"><h2 id="notes">Notes</h2>
<ul class="plain">${notes.slice(-shownMax).map(({ at, about, text }) => html`<li><span class="small">${when(at)}</span> ${about}: ${shortened(text, 500)}</li>`)}</ul></section>`;
}
