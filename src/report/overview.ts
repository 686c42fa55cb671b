// Everything that a person is shown of a run, as one value. The terminal, the Markdown report, the records, the page and
// the JSON output render it; none of them looks at the run itself, so they cannot disagree.
import type { Autonomy, CheckSpec, Stage } from "../core/contract.ts";
import type { Gap } from "../core/event.ts";
import { gateOf } from "../core/gates.ts";
import { tokensOf, usd } from "../core/ledger.ts";
import { capped, type Limits, limitRow, limitsOfTask, usedByTask } from "../core/limits.ts";
import type { Cap, Gate } from "../core/outcome.ts";
import type { Decision, Role, Run, Spend } from "../core/run.ts";
import type { Usage } from "../core/session.ts";
import { shortLine } from "../formats/text/shortened.ts";
import type { Note, SessionNote } from "./chronicle.ts";
import { type FeatureOverview, featureOverview } from "./overview-feature.ts";
import { type IterationOverview, iterationOverview, problemLines, reworksBy } from "./overview-iteration.ts";
import type { Proofs } from "./proof-view.ts";
import { groupByFeature, readFirst, type ToRead } from "./read-first.ts";
import { type Standing, standingOf } from "./state.ts";
import type { Story } from "./story.ts";
import { nothingUndone, type Undone, withTakenBack } from "./taken-back.ts";
import { asOf, type Mark, type Span } from "./times.ts";
import { verdictOf } from "./verified.ts";
import { type InboxWords, inboxWords } from "./words/inbox-words.ts";
import { addressedTo, heldLeft, leftInFolder } from "./words/left.ts";
import { wholeLines } from "./words/whole.ts";
import { featureCount, isoTime, type Verdict } from "./words/words.ts";
import { landingLeft, type Worktree } from "./worktree.ts";

/** Plain data: it can be sent, stored and compared. Times are milliseconds since 1970, durations milliseconds. */
export type Overview = Standing & {
  /** The version of this format. */
  readonly version: 1;
  readonly task: string;
  readonly run: string;
  /** The run that it follows up on. */
  readonly followUpOf: string | null;
  /** The run that was begun for what its audit found missing; null: none was, or it was not looked for. */
  readonly followedBy: string | null;
  /** The release of Loopwright that began it. */
  readonly begunBy: string;
  readonly begunAt: number;
  /** When something was last recorded. */
  readonly lastAt: number;
  /** What was asked for, word for word. */
  readonly request: string;
  readonly agreed: Agreed;
  /** SHIP: it is done, and everything in it is proved or reviewed. */
  readonly verdict: Verdict;
  /** After success: the command that shows every commit of the run. */
  readonly review: string | null;
  /** Unproved work in the folder that it works in, or on branches, and what to do about it; null: none, or the run is at work on it. */
  readonly left: string | null;
  /** The phase of the run: a word for programs, which may change between releases. */
  readonly phase: Run["now"]["is"];
  /** What it does right now, and since when; null: it rests or is over. */
  readonly doing: { readonly what: string; readonly since: number } | null;
  /** The feature in work. */
  readonly current: { readonly feature: string; readonly attempt: number; readonly role: Role | null } | null;
  /** When the usage limit ends that it waits for. */
  readonly waitingUntil: number | null;
  /** The gate that waits for a yes or no. Its question is `why`, its command `next`. */
  readonly gate: Gate | null;
  /** What waits for a person besides the gate, each with the command that answers it. */
  readonly inbox: readonly InboxOverview[];
  readonly features: readonly FeatureOverview[];
  /** How many features are complete or existed before. */
  readonly done: number;
  readonly total: number;
  readonly spent: Spend;
  readonly limits: Limits;
  /** What is used of each cap that stops the run. */
  readonly caps: readonly CapOverview[];
  /** The most reworks that any feature was sent into. */
  readonly reworks: number;
  readonly iterations: readonly IterationOverview[];
  /** Sessions about the whole run: plans, audits, and objections to them. */
  readonly sessions: readonly SessionNote[];
  /** What these sessions found, in one line each. */
  readonly whole: readonly string[];
  /** Requirements that the audit found missing. */
  readonly gaps: readonly Gap[];
  /** Everything that was rejected, undone or set aside, in one line each. */
  readonly problems: readonly string[];
  /** The commits of this run, the riskiest first. */
  readonly readFirst: readonly ToRead[];
  readonly decisions: readonly Decision[];
  readonly notes: readonly Note[];
  readonly timeline: { readonly lastAt: number; readonly spans: readonly Span[]; readonly marks: readonly Mark[] };
  /** The worktree that it works in; null: the person's folder. */
  readonly worktree: Worktree | null;
  /** False: its commits are in the vault alone, so that no command of git shows them. */
  readonly hasGit: boolean;
  /** How many similar requests this workspace has had, including this one. */
  readonly alike: number;
  /** A remark about that; null: there is nothing to say. */
  readonly hint: string | null;
};

/** The contract, as far as people are shown it. */
export type Agreed = {
  readonly autonomy: Autonomy;
  readonly stages: readonly Stage[];
  readonly checks: readonly Pick<CheckSpec, "name" | "run" | "must">[];
  readonly mustNot: readonly string[];
  readonly recordsDir: string;
};

/** `feature` is null if it is about the whole run. */
export type InboxOverview = Omit<InboxWords, "about" | "what"> & {
  readonly feature: string | null;
  readonly text: string;
};

/** A cap of the task, and what all its runs have used of it. `allowed` is null if there is no such cap. */
export type CapOverview = {
  readonly cap: Cap;
  readonly unit: "usd" | "ms" | "count";
  readonly used: number;
  readonly allowed: number | null;
};

/** What the story alone does not say. */
export type Beside = {
  /** A process drives the run, or keeps it open for an answer. */
  readonly isDriven: boolean;
  /** The proofs of its commits. Without them, features say only what the journal has. */
  readonly proofs?: Proofs;
  readonly worktree?: Worktree;
  readonly isPlain?: boolean;
  readonly undone?: Undone;
  /** The run that follows up on it. */
  readonly followedBy?: string | null;
  /** Which run of a proof is going on. */
  readonly step?: string | null;
  /** What the session in hand has used so far; it is not in the run's sum before it ends. */
  readonly open?: Usage | null;
  /** Until when what is at work is drawn; not given: until the last event. */
  readonly now?: number;
  readonly habit?: { readonly nth: number; readonly hint: string | null };
};

export const overview = (story: Story, beside: Beside): Overview =>
  withTakenBack(asRecorded(story, beside), beside.undone ?? nothingUndone);

function asRecorded(
  { run, chronicle }: Story,
  {
    isDriven,
    proofs = {},
    worktree,
    isPlain = false,
    followedBy = null,
    step = null,
    open = null,
    now: until,
    habit,
  }: Beside,
): Overview {
  const { contract, now } = run;
  const spent = withOpen(run.spent, open);
  const standing = standingOf(run, isDriven);
  const isDrawnOn = until !== undefined && standing.state === "running";
  const times = isDrawnOn ? asOf(chronicle.times, run, until) : chronicle.times;
  const iterations = chronicle.iterations.map((it) => iterationOverview(it, standing.outcome !== null));
  const triesOf = groupByFeature(chronicle.iterations);
  const work = "work" in now ? now.work : null;
  const toLand = landingLeft(worktree, now);
  return {
    version: 1,
    task: chronicle.task,
    run: chronicle.run,
    followUpOf: contract.followUp.of,
    followedBy,
    begunBy: chronicle.version,
    begunAt: chronicle.begunAt,
    lastAt: chronicle.lastAt,
    request: contract.request,
    agreed: {
      autonomy: contract.autonomy,
      stages: contract.stages,
      checks: contract.checks.map(({ name, run: command, must }) => ({ name, run: command, must })),
      mustNot: contract.scope.mustNot,
      recordsDir: contract.recordsDir,
    },
    ...standing,
    // What has not landed is not where its owner looks for it.
    ...(toLand === null ? {} : { next: toLand }),
    // Its follow-up is begun once: what is to be done about it is there.
    ...(followedBy === null ? {} : { next: addressedTo(followedBy, "loop status") }),
    verdict: verdictOf({ run, chronicle }),
    review: standing.outcome?.kind === "success" && !isPlain ? reviewOf(iterations) : null,
    left: standing.state === "running" ? null : leftOf({ run, chronicle }, worktree),
    phase: now.is,
    doing: standing.state === "running" ? { what: doing(run, step), since: times.since } : null,
    current:
      work === null
        ? null
        : { feature: work.feature, attempt: work.attempt, role: now.is === "in-session" ? now.role : null },
    waitingUntil: now.is === "waiting" ? now.until : null,
    gate: gateOf(run),
    inbox: inboxWords(run).map(({ about, what, ...words }) => ({
      ...words,
      feature: about === "run" ? null : about,
      text: what,
    })),
    features: contract.features.map((feature) => {
      const shown = featureOverview(run, feature, triesOf.get(feature.id) ?? [], proofs);
      // The sum at the top has the session in hand as well.
      return open !== null && feature.id === openIn(run) ? { ...shown, ...withOpenCost(shown, open) } : shown;
    }),
    ...featureCount(run),
    spent,
    limits: contract.limits,
    caps: capsOf({ spent, contract }),
    reworks: iterations.reduce((most, it) => Math.max(most, reworksBy(it)), 0),
    iterations,
    sessions: chronicle.whole,
    whole: wholeLines(run, chronicle),
    gaps: run.audit?.gaps ?? [],
    problems: problemLines(iterations, chronicle.notes),
    readFirst: readFirst(run, chronicle),
    decisions: run.decisions,
    notes: chronicle.notes,
    timeline: { lastAt: times.lastAt, spans: times.spans, marks: times.marks },
    worktree: worktree ?? null,
    hasGit: !isPlain,
    alike: habit?.nth ?? 1,
    hint: habit?.hint ?? null,
  };
}

function leftOf(story: Story, worktree: Worktree | undefined): string | null {
  const folder = worktree?.exists === false ? null : leftInFolder(story, worktree?.dir);
  return [folder, heldLeft(story.run)].filter((text) => text !== null).join("\n") || null;
}

const hashesMax = 8;

/** By name: what is at the tip of the person's branch by now may be anything. */
function reviewOf(iterations: readonly IterationOverview[]): string | null {
  const commits = iterations.flatMap(({ commit }) => commit?.slice(0, 10) ?? []);
  if (commits.length === 0) return null;
  return commits.length <= hashesMax
    ? `git show ${commits.join(" ")}`
    : `git log --patch ${commits[0]}^..${commits.at(-1)}`;
}

function doing({ now }: Run, step: string | null): string {
  if (now.is === "proving" && step !== null) return `proving (${step})`;
  if (now.is === "waiting") return `waiting until ${isoTime(now.until)}: ${shortLine(now.because, 80)}`;
  return now.is === "in-session" ? `${now.role} at work` : now.is;
}

/** The feature that the session in hand is about. */
function openIn({ now }: Run): string | null {
  const phase = now.is === "resting" ? now.resume : now;
  return phase.is === "in-session" ? (phase.work?.feature ?? null) : null;
}

const withOpenCost = (
  { costUsd, estimated }: FeatureOverview,
  open: Usage,
): Pick<FeatureOverview, "costUsd" | "estimated"> => ({
  costUsd: usd(costUsd + (open.costUsd ?? 0)),
  estimated: estimated || open.costUsd === null || open.isEstimate === true,
});

/** A price that is not known yet counts as nothing here, and is settled when the session ends. */
function withOpen(spent: Spend, open: Usage | null): Spend {
  if (open === null) return spent;
  return {
    ...spent,
    costUsd: usd(spent.costUsd + (open.costUsd ?? 0)),
    estimated: spent.estimated || open.costUsd === null || open.isEstimate === true,
    tokens: spent.tokens + tokensOf(open),
  };
}

function capsOf(run: Pick<Run, "spent" | "contract">): CapOverview[] {
  const [used, allowed] = [usedByTask(run), limitsOfTask(run.contract)];
  return capped.map(({ limit, name, counts }) => ({
    cap: name,
    unit: unitOf(limitRow(limit).unit),
    used: used[counts],
    allowed: allowed[limit],
  }));
}

/** No cap is a percentage: a window is not the run's own. */
const unitOf = (unit: ReturnType<typeof limitRow>["unit"]): CapOverview["unit"] =>
  unit === "minutes" ? "ms" : unit === "usd" ? "usd" : "count";
