// The end of what the latest session did and said. Its lines are added one by one, and never drawn again.
import { html, type Markup, none } from "../html/markup.ts";
import { part } from "./bits.ts";
import type { Tail, TailLine } from "./view.ts";

/** So many lines are shown. The script keeps to it as well. */
export const tailMax = 200;

export function tailPart(tail: Tail | null): Markup {
  if (tail === null) return none;
  const { session, title, isOver } = tail;
  const empty = isOver ? "The agent printed nothing." : "Nothing printed yet.";
  const content = html`<div class="tail" id="tail-box" tabindex="0" role="log" aria-live="off" aria-label="What the agent did and said, newest last"><ol id="log" data-log data-session="${session}" data-max="${tailMax}" data-empty="${empty}"></ol></div>`;
  return part("tail", "Session", content, html`<span class="small">${title}${isOver ? ", over" : ""}</span>`);
}

/** For a page without a script, and the first moment. */
export const tailLines = (lines: readonly TailLine[]): Markup =>
  html`${lines.map(({ n, is, text }) => html`<li data-n="${n}" class="${is}">${text}</li>`)}`;
