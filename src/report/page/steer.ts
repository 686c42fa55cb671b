// Pausing, resuming and cancelling a run from its page.
import { capped, limitRow } from "../../core/limits.ts";
import { html, type Markup, none } from "../html/markup.ts";
import type { Overview } from "../overview.ts";
import { apiOf, hidden } from "./bits.ts";
import type { Place } from "./view.ts";

export function steering(place: Place, run: Overview, key: string): Markup {
  const { state } = run;
  if (state === "over") return none;
  const about = hidden(` ${place.name}, ${run.title}`);
  const at = (verb: string): string => apiOf(place, run.run, verb);
  const steer =
    state === "running"
      ? html`<form data-to="${at("pause")}" data-body="{}" data-done="Pausing."><button>Pause${about}</button></form>`
      : state === "paused"
        ? resumeForm(place, run, key)
        : none;
  return html`<div class="answers">${steer}<details class="no"><summary>Cancel…${about}</summary>
<form data-to="${at("cancel")}" data-body="{}" data-done="Cancelled."><p>Commits stay. Unproved work is taken out of the folder and kept in quarantine. The run itself cannot be resumed after this.</p><button class="grave">Cancel the run${about}</button></form></details></div>`;
}

/** At a cap, with a field for the next one. */
export function resumeForm(place: Place, run: Overview, key: string): Markup {
  const { outcome } = run;
  const cap = outcome?.kind === "cap" ? capped.find(({ name }) => name === outcome.cap) : undefined;
  return html`<form data-to="${apiOf(place, run.run, "continue")}" data-body="{}" data-done="Resumed.">${outcome?.kind === "cap" && cap !== undefined ? capField(limitRow(cap.limit), outcome, key) : none}<button class="first">Continue${hidden(` ${place.name}, ${run.title}`)}</button></form>`;
}

function capField(
  { key: name, unit }: ReturnType<typeof limitRow>,
  { cap, used, allowed, price = 0 }: { cap: string; used: number; allowed: number; price?: number },
  key: string,
): Markup {
  const next = Math.max(1, Math.ceil(Math.max(allowed * 2, used + price)));
  const words = unit === "usd" ? `New ${cap} cap in USD` : `New cap: ${cap.replaceAll("-", " ")}`;
  return html`<label for="${key}-c">${words}</label><input id="${key}-c" type="number" name="limits.${name}" min="1" value="${next}" required>`;
}
