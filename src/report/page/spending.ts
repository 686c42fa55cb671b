// Money and tokens over the life of a run, as pictures that fit a phone.
import { html, type Markup, none } from "../html/markup.ts";
import { short } from "../html/timeline.ts";
import type { Overview } from "../overview.ts";
import { money } from "../words/words.ts";
import { part } from "./bits.ts";
import { thousands } from "./now.ts";

type Point = { readonly at: number; readonly value: number };

const width = 320;
const height = 90;
/** More cannot be told apart. */
const pointsMax = 300;

export function spendingPart(run: Overview): Markup {
  const all = [...run.sessions, ...run.iterations.flatMap(({ sessions }) => sessions)].sort(
    (one, other) => one.endedAt - other.endedAt,
  );
  const { begunAt, limits, spent } = run;
  if (all.length === 0) return none;
  const times = { from: begunAt, to: run.timeline.lastAt };
  /** The last point is what is spent by now, with the session at work. */
  const sums = (worth: (session: (typeof all)[number]) => number, now: number): Point[] => {
    let sum = 0;
    const ended = all.map((session) => {
      sum += worth(session);
      return { at: session.endedAt, value: sum };
    });
    return [...ended, { at: times.to, value: now }];
  };
  const usd = sums(({ costUsd }) => costUsd, spent.costUsd);
  const tokens = sums((session) => session.tokens, spent.tokens);
  return part(
    "spending",
    "Cost and tokens over time",
    html`<div class="charts">
${chart("Cost", usd, times, limits.costUsdMax, (value) => money(value))}
${chart("Tokens", tokens, times, limits.tokensMax, thousands)}
</div>`,
  );
}

/** Steps: money is known when a session ends. */
function chart(
  name: string,
  all: readonly Point[],
  times: { readonly from: number; readonly to: number },
  cap: number | null,
  words: (value: number) => string,
): Markup {
  const { from } = times;
  const last = all.at(-1) ?? { at: from, value: 0 };
  // A cap far above what was used would press the line to the ground.
  const isCapShown = cap !== null && cap > 0 && cap <= last.value * 4;
  const top = Math.max(last.value, isCapShown ? cap : 0, 1e-9);
  const ms = Math.max(1, last.at - from, times.to - from);
  const x = (at: number): number => round(((Math.max(at, from) - from) / ms) * width);
  const y = (value: number): number => round(height - (value / top) * (height - 6));
  let line = `M0 ${height}`;
  for (const { at, value } of thinned(all)) line += `H${x(at)}V${y(value)}`;
  const label = `${name} over time: ${words(last.value)} after ${short(ms)}${cap === null ? "" : `, the cap is ${words(cap)}`}`;
  return html`<figure><figcaption><b>${words(last.value)}</b> <span class="small">${name.toLowerCase()}${cap === null ? "" : ` of ${words(cap)}`} in ${short(ms)}</span></figcaption>
<svg class="chart" viewBox="0 0 ${width} ${height + 2}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="area" d="${line}H${width}V${height}Z"/><path class="line" d="${line}H${width}"/>${isCapShown ? html`<path class="cap" d="M0 ${y(cap)}H${width}"/>` : none}<path class="axis" d="M0 ${height}H${width}"/></svg></figure>
`;
}

function thinned(points: readonly Point[]): readonly Point[] {
  if (points.length <= pointsMax) return points;
  const step = points.length / pointsMax;
  return Array.from({ length: pointsMax }, (_, at) => points[Math.ceil((at + 1) * step) - 1] ?? { at: 0, value: 0 });
}

const round = (value: number): number => Math.round(value * 10) / 10;
