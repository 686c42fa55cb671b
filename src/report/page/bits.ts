// Small pieces that several parts of a page use.
import { html, type Markup, none } from "../html/markup.ts";
import type { Overview } from "../overview.ts";
import { stateWords } from "../state.ts";
import { isoTime } from "../words/words.ts";
import type { Place } from "./view.ts";

/** How full something is. The label says the same in words. */
export function bar(used: number, of: number, look: "plain" | "good" | "fair" | "bad", label: string): Markup {
  const percent = of <= 0 ? 0 : Math.min(100, Math.max(0, (100 * used) / of));
  return html`<svg class="bar ${look}" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="track" width="100" height="6"/><rect class="fill" width="${Math.round(percent * 10) / 10}" height="6"/></svg>`;
}

/** Without what a terminal draws: the page draws its own. */
export const withoutBar = (text: string): string => text.replace(/ ?[█░]+/g, "");

/** The script shows it in the reader's own time zone. */
export const moment = (at: number, precision: "minutes" | "seconds" = "minutes"): Markup =>
  html`<time datetime="${isoTime(at)}" data-moment="${at}" data-precision="${precision}">${isoTime(at).replace("T", " ").replace("Z", " UTC")}</time>`;

/** The script counts on from there. */
export const ticking = (since: number): Markup =>
  html`<time datetime="${isoTime(since)}" data-since="${since}">since ${isoTime(since).slice(11, 19)} UTC</time>`;

export const runPath = ({ id }: Place, run: string): string => `/workspaces/${id}/runs/${run}`;
export const apiOf = (place: Place, run: string, verb: string): string => `/api/v1${runPath(place, run)}/${verb}`;

/** In words and in colour. */
export function stateBadge({ state, outcome }: Pick<Overview, "state" | "outcome">): Markup {
  const [look, words] = lookOf(state, outcome);
  return html`<span class="state ${look}">${words}</span>`;
}

function lookOf(state: Overview["state"], outcome: Overview["outcome"]): readonly [string, string] {
  if (state === "running") return ["busy", stateWords.running];
  if (state === "waits-for-you") return ["fair", stateWords["waits-for-you"]];
  if (state === "interrupted") return ["bad", stateWords.interrupted];
  if (state === "paused") return ["idle", stateWords.paused];
  if (outcome?.kind === "success") return ["good", "done"];
  if (outcome?.kind === "cancelled") return ["idle", "cancelled"];
  if (outcome?.kind === "followup") return ["idle", "followed up"];
  return ["bad", "ended unfinished"];
}

/** A part of a page: a heading, and what is below it. Without content there is no heading either. */
export function part(id: string, title: string, content: Markup, aside: Markup = none): Markup {
  if (content.source === "") return none;
  return html`<section aria-labelledby="${id}"><div class="heading"><h2 id="${id}" tabindex="-1">${title}</h2>${aside}</div>
${content}</section>`;
}

/** Two lists of words that are one after the other, but not for the eye. */
export const hidden = (text: string): Markup => html`<span class="hidden">${text}</span>`;
