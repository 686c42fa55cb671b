// Each feature of the report: its result, its cost, and its proof.
import type { Feature } from "../../core/contract.ts";
import { progressIn } from "../../core/progresses.ts";
import type { RunShown } from "../../core/proof.ts";
import type { Progress, Run } from "../../core/run.ts";
import type { Chronicle, Iteration } from "../chronicle.ts";
import { type Proof, type Proofs, proofFile } from "../proof-view.ts";
import { gradeWords, isAsItShould, restsOn, shownLine } from "../words/shown.ts";
import { count, duration, money } from "../words/words.ts";
import { html, type Markup, none, shortened } from "./markup.ts";

/** A queue may be too long to read: features that were worked on come first, and the rest is counted. */
const shownMax = 200;

export function featuresPart(run: Run, { iterations }: Chronicle, proofs: Proofs): Markup {
  const worked = new Set(iterations.map(({ feature }) => feature));
  const all = [...run.contract.features].sort((a, b) => Number(worked.has(b.id)) - Number(worked.has(a.id)));
  const more = all.length - shownMax;
  return html`<section aria-labelledby="features"><h2 id="features">Features</h2>
${all.slice(0, shownMax).map((feature) => featurePart(run, feature, iterations, proofs))}
${more <= 0 ? none : html`<p>And ${count(more, "feature")} more: <code class="copy">loop show</code></p>`}</section>`;
}

function featurePart(run: Run, feature: Feature, iterations: readonly Iteration[], proofs: Proofs): Markup {
  const progress = progressIn(run.progress, feature.id);
  const tries = iterations.filter((it) => it.feature === feature.id);
  const committed = tries.findLast(({ commit }) => commit !== null);
  const view = committed === undefined ? undefined : proofs[proofFile(committed)];
  const proof = view?.is === "read" ? view.proof : null;
  return html`<article aria-labelledby="f-${feature.id}">
<h3 id="f-${feature.id}"><span class="small">${feature.id}</span> ${shortened(feature.name, 200)} ${badge(progress)}</h3>
<p class="facts">${facts(tries)}${committed === undefined ? none : html` · <code class="copy">git show ${committed.commit?.slice(0, 10) ?? ""}</code>`}</p>
${criteriaPart(feature, proof, progress?.criteriaMet ?? [])}
${proof === null ? none : checksPart(proof)}
${view === undefined ? none : view.is === "read" ? html`<p class="small">Proof <code>proofs/${view.file}</code>, SHA-256 <code>${view.hash.slice(0, 16)}…</code>, named in the commit. Run it again: <code class="copy">loop prove ${feature.id}</code></p>` : html`<p class="bad">The proof <code>proofs/${view.file}</code> is missing or cannot be read. See what git has: <code class="copy">loop prove ${feature.id}</code></p>`}
</article>
`;
}

function badge(progress: Progress | undefined): Markup {
  const status = progress?.status ?? "not-started";
  const [look, text] =
    progress !== undefined && status === "complete"
      ? [progress.grade === null ? "idle" : progress.grade === "weak" ? "fair" : "good", completeWords(progress)]
      : status === "blocked"
        ? ["bad", progress?.held == null ? "blocked: in the inbox" : "unproved: waits for you"]
        : ["idle", status.replaceAll("-", " ")];
  return html`<span class="status ${look}">${text}</span>`;
}

const completeWords = (progress: Progress): string =>
  progress.grade === null ? "complete before this run" : `complete, ${gradeWords(progress)}`;

function facts(tries: readonly Iteration[]): string {
  if (tries.length === 0) return "Not worked on in this run";
  const sessions = tries.flatMap((it) => it.sessions);
  const paid = money(
    sessions.reduce((all, { costUsd }) => all + costUsd, 0),
    sessions.some(({ estimated }) => estimated),
  );
  const ms = tries.reduce((all, it) => all + it.endedAt - it.at, 0);
  return [count(tries.length, "attempt"), count(sessions.length, "session"), paid, duration(ms)].join(" · ");
}

function criteriaPart(feature: Feature, proof: Proof | null, met: readonly number[]): Markup {
  if (feature.criteria.length === 0) return none;
  const judged = proof?.verdict.reply.criteria ?? [];
  const rows = feature.criteria.map((criterion, at) => {
    const verdict = judged.find((each) => each.criterion === at);
    const isMet = verdict?.met ?? met.includes(at);
    const evidence = verdict?.evidence ?? [];
    return html`<tr><td>${isMet ? html`<span class="good">✓ yes</span>` : html`<span class="idle">– not yet</span>`}</td><td>${shortened(criterion, 500)}</td><td>${verdict === undefined ? "" : verdict.verification}${evidence.length === 0 ? none : html`: ${shortened(evidence.join("; "), 500)}`}</td></tr>
`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Criteria of ${feature.id}"><table><thead><tr><th scope="col">met</th><th scope="col">criterion</th><th scope="col">how it is known</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const on = { candidate: "as committed", sealed: "protected tests laid back", before: "on the code before" } as const;

function checksPart(proof: Proof): Markup {
  const { shown = [], weakness = [], decided, contradiction } = proof;
  const remarks = proof.notes ?? proof.remarks ?? [];
  const ground = restsOn(shown);
  return html`<h4>What the loop ran itself</h4>${ground === "" ? none : html`<p>${ground}</p>`}<ul class="checks">${shown.length > 0 ? shown.map(shownRow) : oldRows(proof)}
${decided === undefined ? none : html`<li><span class="fair">!</span> ${decided.how === "accept" ? "Accepted" : "Its rewritten tests were allowed"} by ${shortened(decided.by, 200)}</li>`}
${contradiction == null ? none : html`<li><span class="fair">!</span> Protected tests that it rewrote: ${shortened(contradiction.tests.join(", "), 1000)}</li>`}
${weakness.map((text) => html`<li><span class="fair">! unproved:</span> ${shortened(text, 500)}</li>`)}
${remarks.map((text) => html`<li>${shortened(text, 500)}</li>`)}</ul>`;
}

function shownRow(run: RunShown): Markup {
  const good = isAsItShould(run);
  const look = good === null ? "idle" : good ? "good" : "fair";
  return html`<li><span class="${look}">${good === false ? "!" : "✓"}</span> ${shortened(shownLine(run), 400)}</li>`;
}

/** For a proof made by an earlier version. */
function oldRows({ checks = [], witness }: Proof): readonly Markup[] {
  const rows = checks.map((check) => {
    const isGood = isAsItShould(check) === true;
    return html`<li><span class="${isGood ? "good" : "fair"}">${isGood ? "✓" : "!"}</span> <code>${shortened(check.command, 120)}</code> ${on[check.on]}: ${check.on === "before" && isGood ? `red, as it has to be: ${check.how}` : check.how}</li>`;
  });
  if (witness === undefined || witness.seen) return rows;
  return [...rows, html`<li><span class="fair">!</span> Nothing was red first: ${witness.why}</li>`];
}
