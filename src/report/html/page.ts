// report.html: a whole run on one self-contained page, in the order in which a person asks in the morning.
import type { Run } from "../../core/run.ts";
import type { Chronicle } from "../chronicle.ts";
import { headline, verdictMeaning } from "../markdown/report.ts";
import type { Proofs } from "../proof-view.ts";
import { readFirst } from "../read-first.ts";
import {
  cost,
  count,
  duration,
  featureCount,
  isoTime,
  nextCommand,
  outcomeOf,
  outcomeSentence,
  verdictOf,
} from "../words/words.ts";
import { featuresPart } from "./features.ts";
import { html, Markup, none, shortened } from "./markup.ts";
import { style } from "./style.ts";
import { timelinePart } from "./timeline.ts";
import { caughtPart, decisionsPart, inboxPart, notesPart, wholePart } from "./trouble.ts";

/** Nothing is loaded or executed: text written by an agent is only displayed. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const styleMarkup = new Markup(style);

export function reportHtml(run: Run, chronicle: Chronicle, proofs: Proofs, hint: string | null = null): string {
  const { done, total } = featureCount(run);
  const outcome = outcomeOf(run);
  const title = `${outcome === null ? "Under way" : headline(outcome.kind)}: ${done} of ${count(total, "feature")} complete`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${verdictOf(run)} · ${title}</title>
<style>${styleMarkup}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${verdictPart(run, hint)}
</header>
<main>
${requestPart(run)}
${numbersPart(run, chronicle)}
${readPart(run, chronicle)}
${timelinePart(run, chronicle)}
${featuresPart(run, chronicle, proofs)}
${wholePart(run, chronicle)}
${caughtPart(chronicle)}
${inboxPart(run)}
${decisionsPart(run)}
${notesPart(chronicle)}
${nextPart(run)}
</main>
<footer><p>Run ${chronicle.run} of task ${chronicle.task}, begun ${isoTime(chronicle.begunAt)}, last event ${isoTime(chronicle.lastAt)}. Written by Loopwright ${chronicle.version} from the run's journal.</p></footer>
</body>
</html>
`;
  return page.source;
}

function verdictPart(run: Run, hint: string | null): Markup {
  const verdict = verdictOf(run);
  const outcome = outcomeOf(run);
  return html`<div class="verdict ${verdict}"><b>${verdict}</b>
<p>${outcome === null ? "The run is under way." : shortened(outcomeSentence(outcome), 1000)}</p>
<p class="small">It means: ${verdictMeaning[verdict]}.</p></div>
${hint === null ? none : html`<p class="small">${hint}</p>`}`;
}

const requestPart = ({ contract }: Run): Markup =>
  html`<section aria-labelledby="request"><h2 id="request">What was asked</h2><blockquote dir="auto" tabindex="0">${shortened(contract.request, 20_000)}</blockquote></section>`;

function numbersPart(run: Run, { begunAt, lastAt }: Chronicle): Markup {
  const { spent } = run;
  const { done, total } = featureCount(run);
  const rows = [
    ["features complete", `${done} of ${total}`],
    ["commits", String(spent.commits)],
    ["sessions", String(spent.sessions)],
    [spent.estimated ? "cost (~ partly estimated)" : "cost", cost(spent)],
    ["working time", duration(spent.activeMs)],
    ["checks", duration(spent.checkMs)],
    ["elapsed", duration(Math.max(0, lastAt - begunAt))],
  ];
  return html`<section aria-label="Numbers"><dl class="numbers">${rows.map(([name, value]) => html`<div><dt>${name ?? ""}</dt><dd>${value ?? ""}</dd></div>`)}</dl></section>`;
}

const readMax = 10;

function readPart(run: Run, chronicle: Chronicle): Markup {
  const read = readFirst(run, chronicle);
  if (read.length === 0) return none;
  const rows = read
    .slice(0, readMax)
    .map(
      (each) =>
        html`<li><code class="copy">git show ${each.commit?.slice(0, 10) ?? ""}</code> ${each.feature} ${shortened(each.name, 200)} <span class="small">(${each.why})</span></li>`,
    );
  return html`<section aria-labelledby="read"><h2 id="read">Read first</h2>
<p class="small">${read.length === 1 ? "The commit of this run." : `The ${read.length} commits of this run, the riskiest first.`}</p>
<ol class="plain">${rows}</ol>${read.length > readMax ? html`<p class="small">And ${read.length - readMax} more, less risky: <code class="copy">git log --stat --max-count=${run.spent.commits + 1}</code></p>` : none}</section>`;
}

function nextPart(run: Run): Markup {
  const outcome = outcomeOf(run);
  const command =
    outcome === null
      ? "loop status"
      : outcome.kind === "success"
        ? `git log --patch --max-count=${run.spent.commits + 1}`
        : nextCommand(outcome);
  return html`<section aria-labelledby="next"><h2 id="next">Next</h2><p><code class="copy">${command}</code></p></section>`;
}
