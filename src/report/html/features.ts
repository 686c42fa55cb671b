// Each feature of the report: its result, its cost, and its proof.

import { shortened } from "../../formats/text/shortened.ts";
import type { Overview } from "../overview.ts";
import type { FeatureOverview, ProofOverview, RunOverview } from "../overview-feature.ts";
import { addressedTo } from "../words/left.ts";
import { count, duration, money } from "../words/words.ts";
import { html, type Markup, none } from "./markup.ts";

/** A queue may be too long to read: features that were worked on come first, and the rest is counted. */
const shownMax = 200;

export function featuresPart({ features, run }: Overview): Markup {
  const all = [...features].sort((a, b) => Number(b.attempts > 0) - Number(a.attempts > 0));
  const more = all.length - shownMax;
  return html`<section aria-labelledby="features"><h2 id="features">Features</h2>
${all.slice(0, shownMax).map((feature) => featurePart(feature, run))}
${more <= 0 ? none : html`<p>And ${count(more, "feature")} more: <code class="copy">${addressedTo(run, "loop show")}</code></p>`}</section>`;
}

function featurePart(feature: FeatureOverview, run: string): Markup {
  const { id, name, commit, proof } = feature;
  return html`<article aria-labelledby="f-${id}">
<h3 id="f-${id}"><span class="small">${id}</span> ${shortened(name, 200)} ${badge(feature)}</h3>
<p class="facts">${facts(feature)}${commit === null ? none : html` · <code class="copy">git show ${commit.slice(0, 10)}</code>`}</p>
${criteriaPart(feature)}
${proof?.is === "read" ? checksPart(feature.restsOn, proof) : none}
${proofPart(feature, run)}
</article>
`;
}

/** Where the proof is, and how to run it again. */
export function proofPart({ id, proof }: FeatureOverview, run: string): Markup {
  if (proof === null) return none;
  const again = html`<code class="copy">${addressedTo(run, `loop prove ${id}`)}</code>`;
  if (proof.is === "unreadable")
    return html`<p class="bad">The proof <code>proofs/${proof.file}</code> is missing or cannot be read. See what git has: ${again}</p>`;
  return html`<p class="small">Proof <code>proofs/${proof.file}</code>, SHA-256 <code>${proof.sha256.slice(0, 16)}…</code>, named in the commit. Run it again: ${again}</p>`;
}

export function badge({ status, grade, standing }: FeatureOverview): Markup {
  if (status === "complete" && grade === null) return html`<span class="status idle">complete before this run</span>`;
  if (status === "complete")
    return html`<span class="status ${grade === "weak" ? "fair" : "good"}">complete, ${standing}</span>`;
  return html`<span class="status ${status === "blocked" ? "bad" : "idle"}">${standing}</span>`;
}

/** `took`: how its time is written. */
export function facts(
  { attempts, sessions, costUsd, estimated, ms }: FeatureOverview,
  took: (ms: number) => string | Markup = duration,
): Markup {
  if (attempts === 0) return html`No attempt in this run`;
  const spent = [count(attempts, "attempt"), count(sessions, "session"), money(costUsd, estimated)];
  return html`${spent.join(" · ")} · ${took(ms)}`;
}

function criteriaPart({ id, criteria }: FeatureOverview): Markup {
  if (criteria.length === 0) return none;
  const rows = criteria.map(
    ({ text, isMet, verification, evidence }) =>
      html`<tr><td>${isMet ? html`<span class="good">✓ yes</span>` : html`<span class="idle">– not yet</span>`}</td><td>${shortened(text, 500)}</td><td>${verification ?? ""}${evidence.length === 0 ? none : html`: ${shortened(evidence.join("; "), 500)}`}</td></tr>
`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Criteria of ${id}"><table><thead><tr><th scope="col">met</th><th scope="col">criterion</th><th scope="col">how it is known</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export function checksPart(ground: string, proof: Extract<ProofOverview, { is: "read" }>): Markup {
  const { runs, decided, contradiction, weakness, remarks } = proof;
  return html`<p><b>What the loop ran itself</b></p>${ground === "" ? none : html`<p>${ground}</p>`}<ul class="checks">${runs.map(runRow)}
${decided === null ? none : html`<li><span class="fair">!</span> ${decided.how === "accept" ? "Accepted" : "Its rewritten tests were allowed"} by ${shortened(decided.by, 200)}</li>`}
${contradiction === null ? none : html`<li><span class="fair">!</span> Protected tests that it rewrote: ${shortened(contradiction.tests.join(", "), 1000)}</li>`}
${weakness.map((text) => html`<li><span class="fair">! unproved:</span> ${shortened(text, 500)}</li>`)}
${remarks.map((text) => html`<li>${shortened(text, 500)}</li>`)}</ul>`;
}

function runRow({ text, command, isGood }: RunOverview): Markup {
  const look = isGood === null ? "idle" : isGood ? "good" : "fair";
  return html`<li><span class="${look}">${isGood === false ? "!" : "✓"}</span> ${command === null ? none : html`<code>${shortened(command, 120)}</code> `}${shortened(text, 400)}</li>`;
}
