// Triggers, and what became of their firings.
import { html, type Markup, none, shortened } from "../html/markup.ts";
import { money } from "../words/words.ts";
import { moment, part, runPath } from "./bits.ts";
import type { FiringRow, HomeView, TriggerRow } from "./view.ts";

const shownMax = 30;

export function triggersPart({ triggers, firings }: Pick<HomeView, "triggers" | "firings">): Markup {
  if (triggers.length === 0 && firings.length === 0) return none;
  const content = html`<ul class="rows">${triggers.map(triggerRow)}</ul>
${firings.length === 0 ? none : html`<h3>Firings</h3><ul class="rows">${firings.slice(0, shownMax).map(firingRow)}</ul>`}`;
  return part("triggers", "Triggers", content, html`<span class="count">${triggers.length}</span>`);
}

const triggerRow = ({ place, name, on, next, active }: TriggerRow): Markup =>
  html`<li><p class="name"><b>${name}</b> ${shortened(on, 200)}${active > 0 ? html` <span class="state busy">${active} active</span>` : none}</p>
<p class="small">${place.name}${next === null ? none : html` · next ${moment(next)}`}</p></li>
`;

const looks: Readonly<Record<string, string>> = {
  queued: "fair",
  begun: "busy",
  ended: "good",
  failed: "bad",
  dropped: "bad",
  refused: "bad",
};

const firingRow = ({ place, trigger, at, status, runId, costUsd, note }: FiringRow): Markup =>
  html`<li><p class="name"><b>${trigger}</b> ${moment(at)} <span class="state ${looks[status] ?? "idle"}">${status}</span></p>
<p class="small">${place.name}${runId === null ? none : html` · <a href="${runPath(place, runId)}">its run</a>`}${costUsd === null ? none : html` · ${money(costUsd)}`}${note === null ? none : html` · ${shortened(note, 300)}`}</p></li>
`;
