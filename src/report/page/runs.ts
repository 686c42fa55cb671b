// The runs of all workspaces, to be searched.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import { count, money } from "../words/words.ts";
import { bar, moment, part, runPath, stateBadge } from "./bits.ts";
import type { HomeView, RunRow } from "./view.ts";

type Listed = Pick<HomeView, "runs" | "more" | "workspaces" | "offered">;

export function runsPart({ runs, more, workspaces, offered }: Listed): Markup {
  const problems = workspaces.filter(({ problem }) => problem !== null);
  const content = html`${problems.map(({ name, problem }) => html`<p class="trouble"><b>${name}</b> cannot be read. ${problem}</p>`)}
${
  runs.length === 0
    ? emptyPart(workspaces, offered)
    : html`<ul class="rows" data-searched>${runs.map(row)}</ul>
<p class="small" data-nothing hidden>No run matches.</p>`
}
${more > 0 ? html`<p class="small">And ${count(more, "older run")}: <code class="copy">loop list</code></p>` : none}`;
  return part("runs", "Runs", content, html`<span class="count">${runs.length}</span>`);
}

function emptyPart(workspaces: HomeView["workspaces"], offered: HomeView["offered"]): Markup {
  if (workspaces.length === 0) {
    const folders = offered.length === 0 ? ["DIR"] : offered;
    return html`<div class="empty"><p>No workspace is registered yet.${offered.length === 0 ? "" : " These have runs:"}</p>${folders.map((root) => html`<p><code class="copy">loop serve --add ${root}</code></p>`)}</div>`;
  }
  return html`<div class="empty"><p>No run yet in ${workspaces.map(({ name }) => name).join(", ")}.</p><p><code class="copy">loop "what should be done"</code></p></div>`;
}

function row({ place, runId, ...run }: RunRow): Markup {
  const key = `r-${place.id}-${runId}`.replace(/[^\w-]/g, "_");
  if ("unreadable" in run)
    return html`<li id="${key}" data-text="${`${place.name} ${runId}`.toLowerCase()}"><p class="name">${runId} <span class="state bad">unreadable</span></p><p class="small">${place.name} · ${shortened(run.unreadable, 300)}</p></li>
`;
  const first = shortened(run.request.split("\n")[0] || run.task, 160);
  const words = shortened(`${place.name} ${runId} ${run.task} ${run.state} ${run.title} ${run.request}`, 1000);
  const isGood = run.state === "over" && run.outcome?.kind === "success";
  return html`<li id="${key}" data-text="${words.toLowerCase()}">
<p class="name"><a href="${runPath(place, runId)}">${first}</a> ${stateBadge(run)}</p>
<div class="strength">${bar(run.done, run.total, isGood ? "good" : "plain", `${run.done} of ${count(run.total, "feature")} complete`)}<span class="small" aria-hidden="true">${run.done} of ${run.total}</span></div>
<p class="small">${place.name} · task ${shortened(run.task, 60)} · ${moment(run.begunAt)} · ${money(run.spent.costUsd, run.spent.estimated)}</p></li>
`;
}
