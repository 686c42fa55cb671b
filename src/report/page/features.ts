// The features of a run: how each stands, how strong its proof is, and the proof itself.

import { shortened } from "../../formats/text/shortened.ts";
import { badge, checksPart, facts, proofPart } from "../html/features.ts";
import { html, type Markup, none } from "../html/markup.ts";
import type { Overview } from "../overview.ts";
import type { FeatureOverview } from "../overview-feature.ts";
import { lineAfterLabel } from "../words/cause-words.ts";
import { addressedTo } from "../words/left.ts";
import { count, duration } from "../words/words.ts";
import { bar, part, ticking, withoutBar } from "./bits.ts";

const shownMax = 200;
const criteriaMax = 30;

export function featuresPart({ features, done, total, current, run, doing, lastAt }: Overview): Markup {
  /** What is known ends with the last event; the feature at work is counted on. */
  const tookOf = (id: string) => (ms: number) =>
    doing !== null && id === current?.feature ? ticking(lastAt - ms) : duration(ms);
  const rank = ({ id, attempts }: FeatureOverview): number => (id === current?.feature ? 0 : attempts > 0 ? 1 : 2);
  const all = [...features].sort((one, other) => rank(one) - rank(other));
  const rest = all.length - shownMax;
  const content = html`<ul class="rows">${all.slice(0, shownMax).map((feature) => row(feature, run, tookOf(feature.id)))}</ul>
${rest > 0 ? html`<p class="small">And ${count(rest, "feature")} more: <code class="copy">${addressedTo(run, "loop show")}</code></p>` : none}`;
  return part("features", "Features", content, html`<span class="count">${done} of ${total}</span>`);
}

function row(feature: FeatureOverview, run: string, took: (ms: number) => string | Markup): Markup {
  const { id, name, strength, commit, restsOn, lastCause, isDone } = feature;
  return html`<li id="f-${id}">
<p class="name"><b>${id}</b> ${shortened(name, 200)} ${badge(feature)}</p>
${strength === null || strength.of === 0 ? none : html`<div class="strength">${bar(strength.count, strength.of, strength.count === strength.of ? "good" : "fair", `Strength: the tests noticed ${strength.count} of ${count(strength.of, "change")} that were taken back`)}<span class="small" aria-hidden="true">${strength.count} of ${count(strength.of, "change")} noticed</span></div>`}
<p class="small">${facts(feature, took)}${restsOn === "" ? none : html` · ${withoutBar(restsOn)}`}</p>
${lastCause === null || isDone ? none : html`<p class="small"><span class="bad">${lastCause.label}</span> ${shortened(lineAfterLabel(lastCause), 300)}</p>`}
<details><summary>Criteria${feature.proof === null ? "" : " and proof"}</summary>
${criteria(feature)}${proofOf(feature, run)}${commit === null ? none : html`<p><code class="copy">git show ${commit.slice(0, 10)}</code></p>`}</details></li>
`;
}

function criteria({ criteria: all }: FeatureOverview): Markup {
  const rest = all.length - criteriaMax;
  return html`<ul class="checks">${all.slice(0, criteriaMax).map(({ text, isMet, verification, evidence }) => {
    const known = [verification ?? "", shortened(evidence.join("; "), 500)].filter((words) => words !== "").join(": ");
    return html`<li><span class="${isMet ? "good" : "idle"}">${isMet ? "✓ met" : "– not yet"}</span> ${shortened(text, 500)}${known === "" ? none : html`<br><span class="small">${known}</span>`}</li>`;
  })}${rest > 0 ? html`<li class="small">and ${rest} more</li>` : none}</ul>`;
}

function proofOf(feature: FeatureOverview, run: string): Markup {
  const { proof, restsOn } = feature;
  return html`${proof?.is === "read" ? checksPart(withoutBar(restsOn), proof) : none}${proofPart(feature, run)}`;
}
