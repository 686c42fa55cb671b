// The timeline of a run, and the same as a list.
import { html, type Markup, none } from "../html/markup.ts";
import { short, timelinePictures } from "../html/timeline.ts";
import { roleName } from "../html/timeline-lanes.ts";
import type { Overview } from "../overview.ts";
import type { IterationOverview } from "../overview-iteration.ts";
import { addressedTo } from "../words/left.ts";
import { count, duration } from "../words/words.ts";
import { moment, part, ticking } from "./bits.ts";

const shownMax = 100;

export function timelinePart(run: Overview): Markup {
  const { timeline, begunAt, iterations, doing } = run;
  if (timeline.spans.length === 0) return none;
  const rest = iterations.length - shownMax;
  return part(
    "timeline",
    "Timeline",
    html`<p class="small">Begun ${moment(begunAt)}; ${doing === null ? html`${duration(timeline.lastAt - begunAt)} until the last event` : html`${ticking(begunAt)} until now`}. Times are counted from the beginning.</p>
${timelinePictures(run)}
<details><summary>The timeline as a list</summary>
${rest > 0 ? html`<p class="small">${count(rest, "earlier iteration")}: <code class="copy">${addressedTo(run.run, "loop show")}</code></p>` : none}
<ol class="rows">${iterations.slice(-shownMax).map((it) => row(it, begunAt))}</ol></details>`,
  );
}

const endings = { open: "under way", complete: "committed", rework: "failed", shelved: "to the inbox" } as const;

function row(it: IterationOverview, begunAt: number): Markup {
  const sessions = it.sessions.map(({ role, how, ms }) => `${roleName(role)} ${duration(ms)} (${how})`).join(", ");
  return html`<li><p><b>${it.number}</b> ${it.feature}, attempt ${it.attempt}: ${endings[it.ending]}${it.isRolledBack ? ", rolled back" : ""}</p>
<p class="small">${[`after ${short(it.at - begunAt)}`, sessions || (it.ending === "open" ? "" : "no session")].filter((text) => text !== "").join(" · ")}</p></li>
`;
}
