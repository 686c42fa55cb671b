// What a run does right now: feature, stage, tool, tokens, and money against its cap.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";

import type { CapOverview, Overview } from "../overview.ts";
import { count, duration, money } from "../words/words.ts";
import { bar, part, runPath, stateBadge, ticking } from "./bits.ts";
import { steering } from "./steer.ts";
import type { May, RunView } from "./view.ts";

const shownMax = 30;

/** On the page of one run. */
export function nowPart(view: RunView, may: May): Markup {
  if (view.run.state === "over") return none;
  return part("now", nowTitle(view.run), card(view, may, none));
}

/** On the page of all runs. */
export function openPart(open: readonly RunView[], may: May): Markup {
  const cards = open.slice(0, shownMax).map((view) => {
    const { place, run } = view;
    const title = html`<h3 tabindex="-1"><a href="${runPath(place, run.run)}">${shortened(run.request.split("\n")[0] || run.task, 120)}</a> ${stateBadge(run)}</h3>
<p class="small">${place.name} · ${run.done} of ${count(run.total, "feature")} complete</p>`;
    return card(view, may, title);
  });
  const isResting = open.some(({ run }) => run.state !== "running");
  return part("now", isResting ? "Running and paused" : "Running now", html`${cards}`);
}

const nowTitle = ({ state }: Overview): string => (state === "running" ? "Running now" : "Where it is");

function card(view: RunView, may: May, title: Markup): Markup {
  const { run, place } = view;
  const key = `n-${place.id}-${run.run}`.replace(/[^\w-]/g, "_");
  return html`<article class="now" id="${key}">${title}
${doingPart(view)}
${capsPart(view)}
${may === "write" ? steering(place, run, key) : none}</article>
`;
}

function doingPart({ run, live }: RunView): Markup {
  const { doing, current, features, state } = run;
  if (doing === null) return state === "paused" ? html`<p>${shortened(run.why, 1000)}</p>` : none;
  const feature = features.find(({ id }) => id === current?.feature);
  const about =
    current === null
      ? none
      : html`<b>${current.feature}</b> ${shortened(feature?.name ?? "", 200)} <span class="small">attempt ${feature?.attempts ?? current.attempt}</span>`;
  return html`<p class="doing"><span class="pulse" aria-hidden="true"></span>${about}</p>
<p class="stage">${doing.what} · ${ticking(doing.since)}${pastText(live?.past ?? [])}</p>
${live === null ? none : html`${live.tool === null && live.words !== "" ? none : html`<p class="tool"><code>${shortened(live.tool ?? "no tool yet", 300)}</code></p>`}${live.words === "" ? none : html`<p class="said" dir="auto">${shortened(live.words, 300)}</p>`}`}`;
}

/** How long the last ones like it took. */
function pastText(past: readonly number[]): string {
  if (past.length === 0) return "";
  const [least, most] = [duration(Math.min(...past)), duration(Math.max(...past))];
  return ` · the last ${past.length === 1 ? "one" : past.length} like it: ${least === most ? least : `${least} to ${most}`}`;
}

function capsPart({ run, live }: RunView): Markup {
  const { spent, caps } = run;
  const of = (name: CapOverview["cap"]) => caps.find(({ cap }) => cap === name) ?? { used: 0, allowed: null };
  const [cost, tokens, iterations, time] = [of("cost"), of("tokens"), of("iterations"), of("minutes")];
  // Its price is unknown until it ends.
  const more = live !== null && live.costUsd === null ? "+" : "";
  return html`<div class="meters">
${meter("cost", `${money(cost.used, spent.estimated)}${more}`, cost, (most) => money(most))}
${meter("tokens", thousands(tokens.used), tokens, thousands)}
${meter("iterations", String(iterations.used), iterations, String)}
${meter("working time", workingTime(run, time.used, live), time, duration)}
${live?.contextPercent == null ? none : meter("context", `${Math.round(live.contextPercent)} %`, { used: live.contextPercent, allowed: 100 }, () => "full")}
</div>`;
}

/** It is known when a session ends; until then it is counted on. */
const workingTime = ({ doing }: Overview, usedMs: number, live: RunView["live"]): string | Markup =>
  live === null || doing === null ? duration(usedMs) : ticking(doing.since - usedMs);

function meter(
  name: string,
  said: string | Markup,
  { used, allowed: most }: Pick<CapOverview, "used" | "allowed">,
  words: (most: number) => string,
): Markup {
  const of = most === null ? "no cap" : `of ${words(most)}`;
  const share = most === null || most === 0 ? 0 : used / most;
  return html`<div class="meter"><p class="small">${name}</p><p><b>${said}</b> <span class="small">${of}</span></p>${most === null ? none : bar(used, most, share >= 0.95 ? "bad" : share >= 0.8 ? "fair" : "plain", typeof said === "string" ? `${name}: ${said} ${of}` : `${name}: until this session`)}</div>
`;
}

export function thousands(number: number): string {
  if (number < 1000) return String(Math.round(number));
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(1)}M`;
}
