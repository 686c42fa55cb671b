// report.html: a whole run on one self-contained page, in the order in which a person asks in the morning.

import { shortened } from "../../formats/text/shortened.ts";
import type { Overview } from "../overview.ts";
import { addressedTo } from "../words/left.ts";
import { cost, duration, isoTime, verdictMeaning } from "../words/words.ts";
import { featuresPart } from "./features.ts";
import { html, Markup, none } from "./markup.ts";
import { style } from "./style.ts";
import { timelinePart } from "./timeline.ts";
import { caughtPart, decisionsPart, inboxPart, notesPart, wholePart } from "./trouble.ts";

/** Nothing is loaded or executed: text written by an agent is only displayed. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const styleMarkup = new Markup(style);

export function reportHtml(run: Overview): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${run.verdict} · ${run.title}</title>
<style>${styleMarkup}</style>
</head>
<body>
<header>
<h1>${run.title}</h1>
${verdictPart(run)}
</header>
<main>
${requestPart(run)}
${numbersPart(run)}
${readPart(run)}
${timelinePart(run)}
${featuresPart(run)}
${wholePart(run)}
${caughtPart(run)}
${inboxPart(run)}
${decisionsPart(run)}
${notesPart(run)}
${nextPart(run)}
</main>
<footer><p>Run ${run.run} of task ${run.task}, begun ${isoTime(run.begunAt)}, last event ${isoTime(run.lastAt)}. Written by Loopwright ${run.begunBy} from the run's journal.</p></footer>
</body>
</html>
`;
  return page.source;
}

export function verdictPart({ verdict, why, hint }: Overview): Markup {
  return html`<div class="verdict ${verdict}"><b>${verdict}</b>
<p>${shortened(why, 1000)}</p>
<p class="small">It means: ${verdictMeaning[verdict]}.</p></div>
${hint === null ? none : html`<p class="small">${hint}</p>`}`;
}

export const requestPart = ({ request }: Overview): Markup =>
  html`<section aria-labelledby="request"><h2 id="request">What was asked</h2><blockquote dir="auto" tabindex="0">${shortened(request, 20_000)}</blockquote></section>`;

export function numbersPart({ spent, done, total, begunAt, lastAt }: Overview): Markup {
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

export function readPart({ readFirst: read, run, hasGit }: Overview): Markup {
  if (read.length === 0) return none;
  const rows = read
    .slice(0, readMax)
    .map(
      (each) =>
        html`<li><code class="copy">${hasGit ? `git show ${each.commit?.slice(0, 10) ?? ""}` : "loop read"}</code> ${each.feature} ${shortened(each.name, 200)} <span class="small">(${each.why})</span></li>`,
    );
  return html`<section aria-labelledby="read"><h2 id="read">Read first</h2>
<p class="small">${read.length === 1 ? "The commit of this run." : `The ${read.length} commits of this run, the riskiest first.`}</p>
<ol class="plain">${rows}</ol>${read.length > readMax ? html`<p class="small">And ${read.length - readMax} more, less risky: <code class="copy">${addressedTo(run, "loop show")}</code></p>` : none}</section>`;
}

export const nextPart = ({ review, next }: Overview): Markup =>
  html`<section aria-labelledby="next"><h2 id="next">Next</h2><p><code class="copy">${review ?? next}</code></p></section>`;
