// The two pages as parts: a part is drawn as a whole, and sent again when it has changed.

import { shortened } from "../../formats/text/shortened.ts";
import { html, type Markup, none } from "../html/markup.ts";
import { nextPart, numbersPart, readPart, requestPart, verdictPart } from "../html/page.ts";
import { caughtPart, decisionsPart, inboxPart, notesPart, wholePart } from "../html/trouble.ts";
import type { Overview } from "../overview.ts";
import { count } from "../words/words.ts";
import { landingText } from "../worktree.ts";
import { moment, runPath, stateBadge } from "./bits.ts";
import { featuresPart } from "./features.ts";
import { nowPart, openPart } from "./now.ts";
import { runsPart } from "./runs.ts";
import { spendingPart } from "./spending.ts";
import { tailPart } from "./tail.ts";
import { timelinePart } from "./timeline.ts";
import { triggersPart } from "./triggers.ts";
import type { Follower, HomeView, May, Place, RunView, Waiting } from "./view.ts";
import { cardsOf, waitsPart } from "./waits.ts";

/** In the order of the page. `title` is the title of the window. */
export type Parts = { readonly title: string; readonly parts: Readonly<Record<string, string>> };

const sources = (parts: Readonly<Record<string, Markup>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parts).map(([name, { source }]) => [name, source]));

export function runParts(view: RunView, may: May): Parts {
  const { run, waiting, tail, place } = view;
  const first = run.request.split("\n")[0] || run.task;
  const isOver = run.state === "over";
  return {
    title: `${counted(waiting)}${run.title} · ${place.name}`,
    parts: sources({
      head: headPart(view),
      waits: waiting.length === 0 ? none : waitsPart(waiting, may, false),
      now: nowPart(view, may),
      features: featuresPart(run),
      tail: tailPart(tail),
      timeline: timelinePart(run),
      spending: spendingPart(run),
      report: html`${requestOf(run, first)}${isOver ? numbersPart(run) : none}${readPart(run)}${wholePart(run)}${caughtPart(run)}${isOver ? inboxPart(run) : none}${decisionsPart(run)}${notesPart(run, moment)}${isOver ? nextPart(run) : none}`,
      foot: html`<p>Run ${run.run} of task ${run.task}, begun ${moment(run.begunAt, "seconds")}, last event ${moment(run.lastAt, "seconds")} (number ${view.seq}). Begun by Loopwright ${run.begunBy}.</p>`,
    }),
  };
}

const requestOf = (run: Overview, first: string): Markup =>
  run.request.trim() === first.trim() ? none : requestPart(run);

function headPart({ place, run, waiting, follower }: RunView): Markup {
  const first = shortened(run.request.split("\n")[0] || run.task, 300);
  const landing = run.worktree === null ? "" : landingText(run.worktree);
  return html`<p class="where"><a href="/">All runs</a> <span aria-hidden="true">/</span> ${place.name}</p>
<h1 dir="auto">${first}</h1>
<p class="standing">${stateBadge(run)} <b>${run.title}</b></p>
${run.followUpOf === null ? none : html`<p class="small">It follows <a href="${runPath(place, run.followUpOf)}">the run whose audit found what is missing</a>.</p>`}
${follower !== null ? followerPart(place, follower, run) : run.state === "over" ? verdictPart(run) : run.state === "running" || waiting.some(saysWhy) ? none : html`<p class="why">${shortened(run.why, 1000)}</p>`}
${landing === "" ? none : html`<p class="small">${landing}</p>`}${run.left === null ? none : html`<p class="small">${shortened(run.left, 500)}</p>`}`;
}

/** What became of it is in the run that follows. */
const followerPart = (place: Place, follower: Follower, { why }: Overview): Markup =>
  html`<div class="verdict"><p>${shortened(why, 1000)}</p>
<p><a href="${runPath(place, follower.run)}">The follow-up</a> ${stateBadge(follower)} ${follower.title}</p></div>`;

/** What waits says it below, next to its answer. */
const saysWhy = ({ kind }: Waiting): boolean => kind === "gate" || kind === "rest";

export function homeParts(view: HomeView, may: May): Parts {
  const { waiting, open, workspaces } = view;
  const names = [...new Set(workspaces.map(({ name }) => name))].join(", ");
  return {
    title: `${counted(waiting)}Runs · Loopwright`,
    parts: sources({
      head: html`<h1>Runs</h1><p class="small">${workspaces.length === 0 ? "No workspace is registered." : `${count(workspaces.length, "workspace")}: ${shortened(names, 200)}`}</p>`,
      waits: html`${waiting.length === 0 ? quiet(view) : waitsPart(waiting, may, true)}${silentPart(view)}`,
      now: openPart(open, may),
      runs: runsPart(view),
      triggers: triggersPart(view),
      foot: html`<p>Runs go on without this page and without the server.</p>`,
    }),
  };
}

/** Nothing would begin by itself, so this waits for the person as well. */
const silentPart = ({ silent }: HomeView): Markup =>
  html`${silent.map(({ place, why }) => html`<p class="trouble"><b>The triggers of ${place.name} do not fire.</b> ${shortened(why, 500)}</p>`)}`;

const quiet = ({ runs }: HomeView): Markup =>
  runs.length === 0 ? none : html`<p class="quiet">Nothing waits for you.</p>`;

const counted = (waiting: readonly Waiting[]): string => (waiting.length === 0 ? "" : `(${cardsOf(waiting).length}) `);
