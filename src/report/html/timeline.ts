// The timeline as a picture, and as a table for those who cannot see it.
import type { Overview } from "../overview.ts";
import type { IterationOverview } from "../overview-iteration.ts";
import { count, duration, isoTime } from "../words/words.ts";
import { html, type Markup, none } from "./markup.ts";
import { type Lane, type Look, lanesOf, markNames, roleName } from "./timeline-lanes.ts";
import { axisOf, type Piece, type Scale, scaleOf, xOf } from "./timeline-scale.ts";

const labelWidth = 64;
const plotWidth = 900;
const narrowPlotWidth = 250;
const laneHeight = 26;
const axisHeight = 30;
const right = 16;

export function timelinePart(run: Overview): Markup {
  const { timeline, begunAt, iterations } = run;
  if (timeline.spans.length === 0) return none;
  const scale = scaleFor(timeline, begunAt, plotWidth);
  const lanes = lanesOf(run, scale);
  const breaks = scale.pieces.filter(({ gap }) => gap).length;
  return html`<section aria-labelledby="timeline">
<h2 id="timeline">Timeline</h2>
<p class="small">Begun ${isoTime(begunAt)}; ${duration(timeline.lastAt - begunAt)} until the last event${breaks === 0 ? "" : `, of which ${count(breaks, "long pause is", "long pauses are")} drawn short (╱╱)`}. Times are counted from the beginning.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Timeline, scrolls sideways">
${picture(lanes, scale, defs)}
</div>
${legend}
<details><summary>The timeline as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Iterations, scrolls sideways">
<table><thead><tr><th scope="col">iteration</th><th scope="col">began</th><th scope="col">feature</th><th scope="col">sessions</th><th scope="col">ended</th></tr></thead>
<tbody>${iterations.map((it) => row(it, begunAt))}</tbody></table></div></details>
</section>`;
}

/** The picture for a wide screen and the one for a phone; the style shows one of them. */
export function timelinePictures(run: Overview): Markup {
  const { timeline, begunAt } = run;
  // The patterns are used by both, and one of them is not displayed.
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true">${defs}</svg>
${[plotWidth, narrowPlotWidth].map((width) => {
  const scale = scaleFor(timeline, begunAt, width);
  return html`<div class="${width === plotWidth ? "wide" : "narrow"}">${picture(lanesOf(run, scale), scale, none)}</div>`;
})}
${legend}`;
}

/** Rest at the very end is left out: a run that was left alone for a week was not working. */
function scaleFor({ spans, lastAt }: Overview["timeline"], begunAt: number, width: number): Scale {
  const busy = spans.filter(({ is }) => is === "session" || is === "proving" || is === "checking");
  return scaleOf({ from: begunAt, to: Math.max(lastAt, begunAt + 1) }, busy, width);
}

const defs: Markup = html`<defs>
<pattern id="judge" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="judge-ground" width="5" height="5"/><rect class="judge-line" width="2" height="5"/></pattern>
<pattern id="prove" width="4" height="4" patternUnits="userSpaceOnUse"><rect class="prove-ground" width="4" height="4"/><rect class="prove-line" width="1.5" height="4"/></pattern>
</defs>`;

function picture(lanes: readonly Lane[], scale: Scale, patterns: Markup): Markup {
  const height = lanes.length * laneHeight + axisHeight;
  const width = labelWidth + scale.width + right;
  const origin = scale.pieces[0]?.from ?? 0;
  const axis = axisOf(scale, 70);
  return html`<svg class="timeline" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Timeline of the run, one lane for each feature. The same is in the table below.">
${patterns}
${lanes.map((lane, at) => laneShape(lane, at, scale.width))}
${scale.pieces.filter(({ gap }) => gap).map((piece) => gapShape(piece, lanes.length * laneHeight, axis.gaps.has(piece)))}
<g transform="translate(${labelWidth} ${lanes.length * laneHeight})">
<line class="axis" x1="0" y1="0" x2="${scale.width}" y2="0"/>
${axis.ticks.map((at) => tickShape(xOf(scale, at), at - origin))}
</g>
</svg>`;
}

function laneShape({ label, title, bars, marks }: Lane, at: number, width: number): Markup {
  return html`<g transform="translate(0 ${at * laneHeight})"><title>${title}</title>
<line class="lane" x1="0" y1="${laneHeight}" x2="${labelWidth + width}" y2="${laneHeight}"/>
<text class="label" x="0" y="17">${label.slice(0, 8)}</text>
<g transform="translate(${labelWidth} 0)">${bars.map((bar) => barShape(bar.look, bar.x, bar.width, bar.title))}${marks.map((mark) => markShape(mark.is, mark.x, mark.title))}</g>
</g>
`;
}

/** Height distinguishes the kinds, in addition to colour and pattern. */
const shapes: Readonly<Record<Look, { y: number; height: number }>> = {
  make: { y: 5, height: 16 },
  judge: { y: 8, height: 13 },
  prove: { y: 11, height: 10 },
  wait: { y: 14, height: 4 },
};

const barShape = (look: Look, x: number, width: number, title: string): Markup =>
  html`<rect class="${look}" x="${px(x)}" y="${shapes[look].y}" width="${px(width)}" height="${shapes[look].height}"><title>${title}</title></rect>`;

function markShape(is: keyof typeof markNames, x: number, title: string): Markup {
  const d = {
    commit: "M-6 -6 L-1.5 -1 L6 -10",
    refused: "M-4 -9 L4 -1 M4 -9 L-4 -1",
    "rolled-back": "M-5 -4 A5 5 0 1 1 0 1 M-5 -4 l-2.5 -3.5 M-5 -4 l4 -2",
  }[is];
  return html`<g class="mark ${is}" transform="translate(${px(x)} 17)"><title>${title}</title><path class="halo" d="${d}"/><path d="${d}"/></g>`;
}

const gapShape = ({ x, width, from, to }: Piece, height: number, isLabelled: boolean): Markup =>
  html`<g transform="translate(${px(labelWidth + x)} 0)"><title>${duration(to - from)} in which nothing was done</title>
<rect class="gap" x="0" y="0" width="${px(width)}" height="${height}"/>
<path class="break" d="M${px(width / 2 - 5)} ${height + 6} l6 -12 M${px(width / 2)} ${height + 6} l6 -12"/>
${isLabelled ? html`<text class="tick" x="${px(width / 2)}" y="${height + 24}" text-anchor="middle">${short(to - from)}</text>` : none}</g>
`;

const tickShape = (x: number, ms: number): Markup =>
  html`<g transform="translate(${px(x)} 0)"><line class="axis" y2="5"/><text class="tick" y="18" text-anchor="${x < 20 ? "start" : "middle"}">${short(ms)}</text></g>`;

const px = (value: number): string => String(Math.round(value * 10) / 10);

export function short(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0
      ? `${minutes} min`
      : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60}`;
}

const legend: Markup = html`<ul class="legend" aria-label="Legend">${(
  [
    ["make", "an agent makes"],
    ["judge", "another agent judges"],
    ["prove", "the loop runs checks itself"],
    ["wait", "waits, rests, or does not run"],
  ] as const
).map(
  ([look, text]) =>
    html`<li><svg width="26" height="26" aria-hidden="true"><rect class="${look}" x="1" y="${shapes[look].y}" width="24" height="${shapes[look].height}"/></svg> ${text}</li>`,
)}${(["commit", "refused", "rolled-back"] as const).map(
  (is) =>
    html`<li><svg width="20" height="26" aria-hidden="true">${markShape(is, 10, markNames[is])}</svg> ${markNames[is]}</li>`,
)}</ul>`;

function row(it: IterationOverview, begunAt: number): Markup {
  const sessions = it.sessions.map(({ role, how, ms }) => `${roleName(role)} ${duration(ms)} (${how})`).join(", ");
  const ended = { open: "under way", complete: "committed", rework: "failed", shelved: "to the inbox" }[it.ending];
  return html`<tr><th scope="row">${it.number}</th><td>${short(it.at - begunAt)}</td><td>${it.feature}, attempt ${it.attempt}</td><td>${sessions || "none"}</td><td>${ended}${it.isRolledBack ? ", rolled back" : ""}</td></tr>
`;
}
