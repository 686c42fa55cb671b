// Triggers, and what became of their firings.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import { count, money } from "../words/words.ts";
import { moment, part, runPath, stateBadge } from "./bits.ts";
import type { FiringRow, HomeView, RunRow, TriggerRow } from "./view.ts";

const shownMax = 30;

export function triggersPart({ triggers, firings, runs }: Pick<HomeView, "triggers" | "firings" | "runs">): Markup {
  if (triggers.length === 0 && firings.length === 0) return none;
  const runOf = ({ place, runId }: FiringRow): RunRow | undefined =>
    runs.find((run) => run.runId === runId && run.place.id === place.id);
  const rows = firings.slice(0, shownMax).map((firing) => firingRow(firing, runOf(firing)));
  const content = html`${triggers.length === 0 ? none : html`<ul class="rows">${triggers.map(triggerRow)}</ul>`}
${rows.length === 0 ? html`<p class="small">None has fired yet.</p>` : html`<h3>Firings</h3><ul class="rows">${rows}</ul>`}`;
  return part("triggers", "Triggers", content, html`<span class="count">${triggers.length}</span>`);
}

function triggerRow({ place, name, on, next, silent, deaf, address, active, queued, turnedAway }: TriggerRow): Markup {
  const states = [
    active > queued ? html` <span class="state busy">running</span>` : none,
    queued > 0 ? html` <span class="state fair">${queued} queued</span>` : none,
  ];
  return html`<li><p class="name"><b>${name}</b> ${shortened(on, 200)}${states}</p>
<p class="small">${place.name}${next === null ? none : html` · next ${moment(next)}`}${silent === null ? none : html` · <span class="bad">Does not fire: ${silent}</span>`}${deaf === null ? none : html` · <span class="bad">${deaf}</span>`}</p>
${address === null ? none : html`<p class="small">Deliveries go to <code class="copy">${address}</code></p>`}
${turnedAway === null ? none : html`<p class="small"><span class="bad">${count(turnedAway.count, "delivery", "deliveries")} refused</span> since the server started, the last ${moment(turnedAway.at)}: ${turnedAway.why}</p>`}</li>
`;
}

const looks: Readonly<Record<string, readonly [look: string, word: string]>> = {
  queued: ["fair", "queued"],
  beginning: ["busy", "beginning"],
  begun: ["busy", "running"],
  ended: ["idle", "ended"],
  failed: ["bad", "failed"],
  dropped: ["idle", "dropped"],
  refused: ["idle", "skipped"],
};

/** `run`: as it is now. It may have gone on since the firing ended, because a person answered. */
function firingRow(
  { place, trigger, at, cause, status, runId, costUsd, note }: FiringRow,
  run: RunRow | undefined,
): Markup {
  const isRead = run !== undefined && "state" in run;
  const [look, word] = looks[status] ?? ["idle", status];
  const badge = isRead ? stateBadge(run) : html`<span class="state ${look}">${word}</span>`;
  const cost = isRead ? run.spent.costUsd : costUsd;
  const name = runId === null ? html`<b>${trigger}</b>` : html`<a href="${runPath(place, runId)}">${trigger}</a>`;
  const why = status === "begun" || isRead || note === null ? none : html` · ${shortened(note, 300)}`;
  return html`<li><p class="name">${name} ${badge}</p>
${
  cause === ""
    ? none
    : html`<p class="cause" dir="auto">${shortened(cause, 300)}</p>
`
}<p class="small">${place.name} · ${moment(at, "seconds")}${cost === null ? none : html` · ${money(cost)}`}${why}</p></li>
`;
}
